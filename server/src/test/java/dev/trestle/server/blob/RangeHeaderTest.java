package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.blob.BlobService.Range;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.FakeHttp;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RangeHeaderTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 10, 0, 1",
        "bytes=0-9, 10, 0, 10",
        "bytes=3-5, 10, 3, 3",
        "bytes=3-, 10, 3, 7",
        "bytes=9-9, 10, 9, 1",
        "bytes=0-4194303, 10, 0, 10",
        "bytes=9-999999999999999999, 10, 9, 1",
        "' bytes=0-1 ', 10, 0, 2"
    })
    void a_range_is_cut_to_what_there_is(String text, long length, long from, long count) {
        assertThat(RangeHeader.parse(text).orElseThrow().of(length)).isEqualTo(new Range(from, count));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=-5",
                "bytes=0--1",
                "bytes=5-3",
                "bytes=0-1,3-4",
                "bytes=a-b",
                "bits=0-1",
                "bytes=0-1x",
                "bytes=\u0661-\u0662",
                "bytes=0-9999999999999999999",
                "Bytes=+1-2"
            })
    void what_is_no_range_is_as_if_it_were_not_there(String text) {
        assertThat(RangeHeader.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"bytes=10-, 10", "bytes=10-11, 10", "bytes=0-, 0", "bytes=0-4194303, 0"})
    void a_range_behind_the_end_is_refused_with_the_length(String text, long length) {
        StorageException refusal = catchThrowableOfType(
                StorageException.class,
                () -> RangeHeader.parse(text).orElseThrow().of(length));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_RANGE);
        assertThat(refusal.headers()).containsEntry("Content-Range", "bytes */" + length);
    }

    @Test
    void the_services_own_header_goes_before_the_common_one() {
        FakeHttp both = new FakeHttp("GET", "/acct/c/b").header("Range", "bytes=0-1");
        assertThat(RangeHeader.of(both.request())).contains(new RangeHeader(0, OptionalLong.of(1)));
        assertThat(RangeHeader.of(both.header("x-ms-range", "bytes=2-").request()))
                .contains(new RangeHeader(2, OptionalLong.empty()));
        assertThat(RangeHeader.of(both.header("x-ms-range", "bytes=0--1").request()))
                .isEqualTo(Optional.empty());
    }
}
