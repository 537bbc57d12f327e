package dev.trestle.patterns.examples;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Counts the requests of the clients it is put into, and asks a Trestle server how many rows each query examined. */
final class Meter implements HttpPipelinePolicy {
    private static final HttpHeaderName EXPLAIN = HttpHeaderName.fromString("x-trestle-explain");
    private static final HttpHeaderName ROWS_EXAMINED = HttpHeaderName.fromString("x-trestle-rows-examined");

    private final AtomicLong roundTrips = new AtomicLong();
    private final AtomicLong rowsExamined = new AtomicLong();
    private final AtomicLong explained = new AtomicLong();

    record Measured<T>(T value, long roundTrips, OptionalLong rowsExamined) {}

    /** Does something and tells what it cost, if nothing else is done meanwhile. */
    <T> Measured<T> measure(Supplier<T> work) {
        long tripsBefore = roundTrips.get();
        long rowsBefore = rowsExamined.get();
        long explainedBefore = explained.get();
        T value = work.get();
        return new Measured<>(
                value,
                roundTrips.get() - tripsBefore,
                explained.get() == explainedBefore
                        ? OptionalLong.empty()
                        : OptionalLong.of(rowsExamined.get() - rowsBefore));
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        ask(context);
        return next.process().doOnNext(this::count);
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        ask(context);
        HttpResponse response = next.processSync();
        count(response);
        return response;
    }

    private void ask(HttpPipelineCallContext context) {
        roundTrips.incrementAndGet();
        context.getHttpRequest().setHeader(EXPLAIN, "true");
    }

    private void count(HttpResponse response) {
        String rows = response.getHeaderValue(ROWS_EXAMINED);
        if (rows != null) {
            explained.incrementAndGet();
            rowsExamined.addAndGet(Long.parseLong(rows));
        }
    }
}
