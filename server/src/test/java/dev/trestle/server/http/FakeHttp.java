package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.server.auth.Accounts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.lang.reflect.Proxy;

/** A request that never was on a socket: it answers for its line and headers, and nothing else is asked of it. */
final class FakeHttp {
    private final String method;
    private final String target;
    private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();

    FakeHttp(String method, String target) {
        this.method = method;
        this.target = target;
        headers.add("Host", "127.0.0.1:10002");
    }

    FakeHttp header(String name, String value) {
        headers.set(name, value);
        return this;
    }

    Request request() {
        HttpServerRequest http = http();
        RemoteEndpoint client = new RemoteEndpoint("127.0.0.1", 4711, false);
        return new Request(Service.TABLE, "id-1", http, client, address(), Runnable::run);
    }

    Request.Address address() {
        return Request.address(http(), false, Accounts.DEVELOPMENT);
    }

    private HttpServerRequest http() {
        return (HttpServerRequest) Proxy.newProxyInstance(
                FakeHttp.class.getClassLoader(),
                new Class<?>[] {HttpServerRequest.class},
                (proxy, called, arguments) -> switch (called.getName()) {
                    case "method" -> HttpMethod.valueOf(method);
                    case "uri" -> target;
                    case "headers" -> headers;
                    case "getHeader" -> headers.get(arguments[0].toString());
                    default -> throw new UnsupportedOperationException(called.getName());
                });
    }
}
