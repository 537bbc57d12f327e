package dev.trestle.examples;

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

/** A client policy that counts requests, and the rows examined by queries where the server reports them, as Trestle does. */
final class Meter implements HttpPipelinePolicy {
    private static final HttpHeaderName EXPLAIN = HttpHeaderName.fromString("x-trestle-explain");
    private static final HttpHeaderName ROWS_EXAMINED = HttpHeaderName.fromString("x-trestle-rows-examined");

    private final AtomicLong roundTrips = new AtomicLong();
    private final AtomicLong rowsExamined = new AtomicLong();
    private final AtomicLong explained = new AtomicLong();

    record Measured<T>(T value, long roundTrips, OptionalLong rowsExamined) {}

    /** Runs the work and returns its cost. Concurrent requests would be counted too. */
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
        onRequest(context);
        return next.process().doOnNext(this::onResponse);
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        onRequest(context);
        HttpResponse response = next.processSync();
        onResponse(response);
        return response;
    }

    private void onRequest(HttpPipelineCallContext context) {
        roundTrips.incrementAndGet();
        context.getHttpRequest().setHeader(EXPLAIN, "true");
    }

    private void onResponse(HttpResponse response) {
        String rows = response.getHeaderValue(ROWS_EXAMINED);
        if (rows != null) {
            explained.incrementAndGet();
            rowsExamined.addAndGet(Long.parseLong(rows));
        }
    }
}
