package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.queue.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random calls to a queue have the results of a list of messages. */
public abstract class RandomQueueContract extends QueueContract {
    private static final int SEEDS = 8;
    private static final int CALLS = 300;

    protected RandomQueueContract(Opener opener) {
        super(opener);
    }

    static LongStream seeds() {
        return Gen.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void random_calls_are_answered_as_a_list_of_messages_would(long seed) {
        Gen.check(seed, gen -> new History(gen).run());
    }

    /** The expected state of a message, in the time of the test's clock. */
    private static final class Known {
        final Instant expiry;
        Instant visible;
        long order;
        int count;
        Message last;
        String now;

        Known(Message message, Instant visible, Instant expiry, long order) {
            this.now = message.text();
            this.last = message;
            this.visible = visible;
            this.expiry = expiry;
            this.order = order;
        }
    }

    private final class History {
        private final Gen gen;
        private final List<Known> messages = new ArrayList<>();
        private final List<Message> seen = new ArrayList<>();
        private long order;

        History(Gen gen) {
            this.gen = gen;
        }

        void run() throws Exception {
            for (int i = 0; i < CALLS; i++) {
                int choice = gen.below(100);
                if (choice < 30) {
                    putOne();
                } else if (choice < 55) {
                    takeSome();
                } else if (choice < 65) {
                    assertThat(texts(peek(5)))
                            .isEqualTo(visible(5).stream().map(each -> each.now).toList());
                } else if (choice < 75) {
                    removeOne();
                } else if (choice < 85) {
                    updateOne();
                } else if (choice < 94) {
                    move(gen.below(6));
                } else if (choice < 96) {
                    assertThat(await(queues.count(account, JOBS))).isGreaterThanOrEqualTo(alive().size());
                } else if (choice < 97) {
                    await(queues.sweep(account));
                    assertThat(await(queues.count(account, JOBS))).isEqualTo(alive().size());
                } else if (choice < 98) {
                    await(queues.clear(account, JOBS));
                    messages.clear();
                } else if (gen.chance(25)) {
                    restart();
                }
            }
        }

        private List<Known> alive() {
            return messages.stream()
                    .filter(each -> each.expiry.isAfter(clock.instant()))
                    .toList();
        }

        private List<Known> visible(int max) {
            return alive().stream()
                    .filter(each -> !each.visible.isAfter(clock.instant()))
                    .sorted(Comparator.<Known, Instant>comparing(each -> each.visible)
                            .thenComparing(each -> each.order))
                    .limit(max)
                    .toList();
        }

        private void putOne() {
            int delay = gen.chance(70) ? 0 : gen.below(8);
            int life = gen.chance(70) ? 3600 : delay + 1 + gen.below(10);
            Message message = put("m" + order, delay * SECOND, life * SECOND);
            seen.add(message);
            messages.add(new Known(
                    message, clock.instant().plusSeconds(delay), clock.instant().plusSeconds(life), order++));
        }

        private void takeSome() {
            int wanted = 1 + gen.below(6);
            int hidden = 1 + gen.below(8);
            List<Known> expected = visible(wanted);
            List<Message> taken = take(wanted, hidden * SECOND);
            assertThat(texts(taken))
                    .isEqualTo(expected.stream().map(each -> each.now).toList());
            for (int i = 0; i < taken.size(); i++) {
                Known known = expected.get(i);
                known.visible = clock.instant().plusSeconds(hidden);
                known.order = order++;
                known.last = taken.get(i);
                assertThat(taken.get(i).dequeueCount()).isEqualTo(++known.count);
                seen.add(taken.get(i));
            }
        }

        private Optional<Known> holder(Message message) {
            return alive().stream().filter(each -> each.last.equals(message)).findFirst();
        }

        private void removeOne() {
            if (seen.isEmpty()) {
                return;
            }
            Message message = gen.oneOf(seen);
            Optional<Known> holder = holder(message);
            if (holder.isPresent()) {
                remove(message);
                messages.remove(holder.get());
            } else {
                assertThat(removalError(message)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
            }
        }

        private void updateOne() {
            if (seen.isEmpty()) {
                return;
            }
            Message message = gen.oneOf(seen);
            int hidden = gen.below(5);
            Optional<String> text = gen.chance(50) ? Optional.of("u" + order) : Optional.empty();
            CompletionStage<Message> answer =
                    queues.update(account, JOBS, message.id(), message.receipt(), text, hidden * SECOND);
            Optional<Known> holder = holder(message);
            if (holder.isEmpty()) {
                assertThat(errorOf(answer)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
                return;
            }
            Known known = holder.get();
            known.last = await(answer);
            known.now = text.orElse(known.now);
            known.visible = clock.instant().plusSeconds(hidden);
            known.order = order++;
            seen.add(known.last);
        }
    }
}
