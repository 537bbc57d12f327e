package dev.trestle.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DirectBufferPoolTest {
    private static final int PIECES = (int) (DirectBufferPool.BYTES / DirectBufferPool.PIECE_BYTES);

    private final byte[] bytes = new byte[DirectBufferPool.PIECE_BYTES + 1];

    @Test
    void there_is_only_so_much_until_some_is_given_back() {
        List<ByteBuffer> taken = takeAll();
        assertThat(taken).hasSizeLessThanOrEqualTo(PIECES);
        assertThat(take(1)).isEmpty();

        taken.forEach(DirectBufferPool::giveBack);
        List<ByteBuffer> again = takeAll();
        assertThat(again).hasSizeBetween(taken.size(), PIECES);
        again.forEach(DirectBufferPool::giveBack);
    }

    @Test
    void what_was_lost_comes_back_by_itself() {
        takeAll();
        Optional<ByteBuffer> piece = take(1);
        for (int i = 0; piece.isEmpty() && i < 1000; i++) {
            System.gc();
            piece = take(1);
        }
        assertThat(piece).isPresent();
        DirectBufferPool.giveBack(piece.get());
    }

    @Test
    void a_piece_holds_what_was_put_into_it_and_nothing_of_before() {
        bytes[0] = 1;
        ByteBuffer full = take(DirectBufferPool.PIECE_BYTES).orElseThrow();
        assertThat(full.remaining()).isEqualTo(DirectBufferPool.PIECE_BYTES);
        DirectBufferPool.giveBack(full);
        bytes[0] = 2;
        ByteBuffer small = take(1).orElseThrow();
        assertThat(small.isDirect()).isTrue();
        assertThat(small.remaining()).isEqualTo(1);
        assertThat(small.get(0)).isEqualTo((byte) 2);
        DirectBufferPool.giveBack(small);
    }

    @Test
    void more_than_a_piece_takes_is_left_to_the_heap() {
        assertThat(take(DirectBufferPool.PIECE_BYTES + 1)).isEmpty();
    }

    private Optional<ByteBuffer> take(int length) {
        return DirectBufferPool.holding(bytes, length);
    }

    private List<ByteBuffer> takeAll() {
        List<ByteBuffer> taken = new ArrayList<>();
        for (Optional<ByteBuffer> piece = take(1); piece.isPresent(); piece = take(1)) {
            taken.add(piece.get());
        }
        return taken;
    }
}
