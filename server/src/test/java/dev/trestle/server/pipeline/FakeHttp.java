package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.server.auth.Accounts;
import io.vertx.core.MultiMap;

/** A request that never was on a socket. */
public final class FakeHttp {
    private final String method;
    private final String target;
    private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();

    public FakeHttp(String method, String target) {
        this.method = method;
        this.target = target;
        headers.add("Host", "127.0.0.1:10002");
    }

    public FakeHttp header(String name, String value) {
        headers.set(name, value);
        return this;
    }

    public Request request() {
        return new Request(
                Service.TABLE,
                "id-1",
                method,
                target,
                address(),
                headers,
                new RemoteEndpoint("127.0.0.1", 4711, false),
                Runnable::run,
                RequestBody.EMPTY);
    }

    public RequestAddress address() {
        return RequestAddress.parse(target, headers.get("Host"), false, Accounts.DEVELOPMENT);
    }
}
