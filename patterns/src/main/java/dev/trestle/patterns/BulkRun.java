package dev.trestle.patterns;

import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionFailedException;
import com.azure.data.tables.models.TableTransactionResult;
import dev.trestle.patterns.entity.EntityKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One piece of bulk work. The writes are taken in windows, each window is sorted by partition and written before the next is
 * taken, so that memory stays bounded whatever the number of writes. A transaction that fails for one of its writes is sent
 * again without it; one that is too large is halved; one that nobody answers ends the work on its partition in this window.
 * What was counted is guarded by this object's lock.
 */
final class BulkRun {
    /** Well below the service's 4 MiB, since sizes are estimated. */
    private static final int TRANSACTION_BYTES_MAX = 3_500_000;

    private static final int WINDOW_WRITES = 4_000;
    private static final int PAYLOAD_TOO_LARGE = 413;

    private final BulkOptions options;
    private final Function<List<TableTransactionAction>, Mono<TableTransactionResult>> submit;
    private final List<Leftover> leftovers = new ArrayList<>();
    private long written;
    private long transactions;

    BulkRun(BulkOptions options, Function<List<TableTransactionAction>, Mono<TableTransactionResult>> submit) {
        this.options = options;
        this.submit = submit;
    }

    Mono<BulkResult> perform(Iterable<Write> writes) {
        return perform(Flux.fromIterable(writes));
    }

    Mono<BulkResult> perform(Flux<Write> writes) {
        return writes.buffer(WINDOW_WRITES)
                .concatMap(
                        window -> Flux.fromIterable(byPartition(window))
                                .flatMap(this::performInOrder, options.parallelism()),
                        1)
                .then(Mono.fromSupplier(this::result));
    }

    private synchronized BulkResult result() {
        return new BulkResult(written, transactions, leftovers);
    }

    private static List<List<Write>> byPartition(List<Write> window) {
        Map<String, List<Write>> partitions = new LinkedHashMap<>();
        window.forEach(write -> partitions
                .computeIfAbsent(write.key().partitionKey(), missing -> new ArrayList<>())
                .add(write));
        return List.copyOf(partitions.values());
    }

    /** What is left to do in a partition, and how many writes a transaction may have. */
    private record Work(List<Write> writes, int sizeMax) {}

    /** All writes of one partition, one transaction after the other. */
    private Mono<Void> performInOrder(List<Write> writes) {
        return Mono.just(new Work(writes, Transactions.WRITES_MAX))
                .expand(this::step)
                .then();
    }

    /** One transaction; what is left to do afterwards. */
    private Mono<Work> step(Work work) {
        if (work.writes().isEmpty()) {
            return Mono.empty();
        }
        List<Write> transaction = work.writes().subList(0, firstTransaction(work));
        List<Write> rest =
                work.writes().subList(transaction.size(), work.writes().size());
        return Mono.defer(() -> submit.apply(Transactions.actions(transaction)))
                .map(result -> succeeded(transaction, rest, work.sizeMax()))
                .onErrorResume(failure -> Mono.just(failed(transaction, rest, work.sizeMax(), failure)));
    }

    private Work succeeded(List<Write> transaction, List<Write> rest, int sizeMax) {
        note(transaction.size(), List.of());
        return new Work(rest, sizeMax);
    }

    private Work failed(List<Write> transaction, List<Write> rest, int sizeMax, Throwable failure) {
        int guilty = failedIndex(failure, transaction.size());
        if (guilty >= 0) {
            List<Write> innocent = new ArrayList<>(transaction);
            note(0, List.of(new Leftover(innocent.remove(guilty), failure, false)));
            return new Work(joined(innocent, rest), sizeMax);
        } else if (isTooLarge(failure) && transaction.size() > 1) {
            note(0, List.of());
            return new Work(joined(transaction, rest), transaction.size() / 2);
        }
        boolean refused = Answers.isRefusal(failure);
        List<Leftover> lost = new ArrayList<>();
        transaction.forEach(write -> lost.add(new Leftover(write, failure, !refused)));
        if (!refused) {
            rest.forEach(write -> lost.add(new Leftover(write, failure, false)));
        }
        note(0, lost);
        return new Work(refused ? rest : List.of(), sizeMax);
    }

    private static List<Write> joined(List<Write> first, List<Write> second) {
        List<Write> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static int failedIndex(Throwable failure, int size) {
        boolean named = failure instanceof TableTransactionFailedException refused
                && refused.getFailedTransactionActionIndex() != null
                && refused.getFailedTransactionActionIndex() < size;
        return named ? ((TableTransactionFailedException) failure).getFailedTransactionActionIndex() : -1;
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof TableServiceException refused
                && refused.getResponse() != null
                && refused.getResponse().getStatusCode() == PAYLOAD_TOO_LARGE;
    }

    private synchronized void note(int done, List<Leftover> lost) {
        written += done;
        transactions++;
        leftovers.addAll(lost);
        options.progress().accept(new BulkProgress(written, leftovers.size(), transactions));
    }

    /** How many of these fit into one transaction: as many as allowed, no entity twice, within the limit of bytes. */
    private static int firstTransaction(Work work) {
        Set<EntityKey> keys = new HashSet<>();
        long bytes = 0;
        for (Write write : work.writes()) {
            bytes += write.bytesEstimated();
            boolean full = keys.size() == work.sizeMax() || bytes > TRANSACTION_BYTES_MAX;
            if ((!keys.isEmpty() && full) || !keys.add(write.key())) {
                break;
            }
        }
        return keys.size();
    }
}
