package dev.trestle.patterns;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import reactor.core.publisher.Mono;

/**
 * A client policy that simulates a crash at a chosen request: earlier requests are sent, that one and all later ones are not. It
 * lets a test crash an operation after each of its requests.
 */
public final class StopAfter implements HttpPipelinePolicy {
    private int left = Integer.MAX_VALUE;

    /** Thrown instead of sending a request. */
    public static final class Stopped extends Error {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("Stopped by the test");
        }
    }

    /** Allows this number of further requests. */
    public synchronized void requests(int count) {
        left = count;
    }

    /** Returns the number of requests still allowed. */
    public synchronized int left() {
        return left;
    }

    /** Allows all requests. */
    public synchronized void never() {
        left = Integer.MAX_VALUE;
    }

    private synchronized void pass() {
        if (left == 0) {
            throw new Stopped();
        }
        left--;
    }

    /**
     * Runs the work with a crash before the first request, then before the second, and so on until it completes. After each run it
     * runs the check with all requests allowed.
     *
     * @return the number of requests of the work
     */
    public int everywhere(Runnable preparation, Runnable work, Runnable check) {
        for (int requests = 0; ; requests++) {
            preparation.run();
            requests(requests);
            boolean stopped = false;
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                // Clients with a reactive implementation wrap exceptions.
                if (!(e instanceof Stopped) && !(e.getCause() instanceof Stopped)) {
                    throw e;
                }
                stopped = true;
            } finally {
                never();
            }
            check.run();
            if (!stopped) {
                return requests;
            }
        }
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        return Mono.defer(() -> {
            pass();
            return next.process();
        });
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        pass();
        return next.processSync();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }
}
