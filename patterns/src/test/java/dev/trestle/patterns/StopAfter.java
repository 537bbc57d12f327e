package dev.trestle.patterns;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import reactor.core.publisher.Mono;

/**
 * Stops a program at a chosen request: those before it are done, that one and all after it are never sent. So a test can stop
 * whatever it tests after every step it takes.
 */
public final class StopAfter implements HttpPipelinePolicy {
    private int left = Integer.MAX_VALUE;

    /** The program stopped here. */
    public static final class Stopped extends Error {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("stopped by the test");
        }
    }

    /** Lets through so many requests from now on. */
    public synchronized void requests(int count) {
        left = count;
    }

    /** How many of those it would still let through. */
    public synchronized int left() {
        return left;
    }

    /** Lets through everything again. */
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
     * Does work and stops it after the first request, then again after the second, and so on until it comes to its end; after
     * each the check is made, with everything let through.
     *
     * @return how many requests the work takes
     */
    public int everywhere(Runnable preparation, Runnable work, Runnable check) {
        for (int requests = 0; ; requests++) {
            preparation.run();
            requests(requests);
            boolean stopped = false;
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                // Clients that are reactive inside wrap what is thrown.
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
