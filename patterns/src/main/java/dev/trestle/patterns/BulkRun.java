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
 * The execution of one bulk write. Writes are consumed in windows; each window is grouped by partition and written before the
 * next is consumed, which bounds memory. A transaction that fails because of one write is resent without it; one that is too
 * large is split in half; one without a response ends the work on its partition in this window. The counters are guarded by this
 * object's lock.
 */
final class BulkRun {
    /** Well below the service's limit of 4 MiB, because sizes are estimates. */
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

    /** The remaining writes of a partition, and the maximum number of writes per transaction. */
    private record Work(List<Write> writes, int sizeMax) {}

    /** Executes the writes of one partition in sequential transactions. */
    private Mono<Void> performInOrder(List<Write> writes) {
        return Mono.just(new Work(writes, Transactions.WRITES_MAX))
                .expand(this::step)
                .then();
    }

    /** Executes one transaction and returns the remaining work. */
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
        report(transaction.size(), List.of());
        return new Work(rest, sizeMax);
    }

    private Work failed(List<Write> transaction, List<Write> rest, int sizeMax, Throwable failure) {
        int failed = failedIndex(failure, transaction.size());
        if (failed >= 0) {
            List<Write> others = new ArrayList<>(transaction);
            report(0, List.of(new Leftover(others.remove(failed), failure, false)));
            return new Work(joined(others, rest), sizeMax);
        } else if (isTooLarge(failure) && transaction.size() > 1) {
            report(0, List.of());
            return new Work(joined(transaction, rest), transaction.size() / 2);
        }
        boolean rejected = Responses.isRejection(failure);
        List<Leftover> failures = new ArrayList<>();
        transaction.forEach(write -> failures.add(new Leftover(write, failure, !rejected)));
        if (!rejected) {
            rest.forEach(write -> failures.add(new Leftover(write, failure, false)));
        }
        report(0, failures);
        return new Work(rejected ? rest : List.of(), sizeMax);
    }

    private static List<Write> joined(List<Write> first, List<Write> second) {
        List<Write> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static int failedIndex(Throwable failure, int size) {
        boolean known = failure instanceof TableTransactionFailedException failed
                && failed.getFailedTransactionActionIndex() != null
                && failed.getFailedTransactionActionIndex() < size;
        return known ? ((TableTransactionFailedException) failure).getFailedTransactionActionIndex() : -1;
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof TableServiceException error
                && error.getResponse() != null
                && error.getResponse().getStatusCode() == PAYLOAD_TOO_LARGE;
    }

    private synchronized void report(int done, List<Leftover> failures) {
        written += done;
        transactions++;
        leftovers.addAll(failures);
        options.progress().accept(new BulkProgress(written, leftovers.size(), transactions));
    }

    /** Returns how many writes fit into one transaction: within the limits of count and bytes, and no entity twice. */
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
