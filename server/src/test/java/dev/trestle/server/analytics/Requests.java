package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.server.codec.QueryParameters;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.server.pipeline.RequestDetails;
import dev.trestle.server.pipeline.RequestDetails.Credentials;
import dev.trestle.server.pipeline.RequestSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A finished request in the making. */
final class Requests {
    static final String ACCOUNT = "devstoreaccount1";

    private final Service service;
    private final Operation<?, ?> operation;
    private int status = 200;
    private Optional<StorageError> error = Optional.empty();
    private Credentials credentials = Credentials.SHARED_KEY;
    private String url = "http://127.0.0.1:10002/devstoreaccount1/orders()";
    private String account = ACCOUNT;
    private String id = "00000000-0000-0000-0000-000000000001";
    private long sendingNanos;
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, String> answered = new HashMap<>();

    private Requests(Service service, Operation<?, ?> operation) {
        this.service = service;
        this.operation = operation;
    }

    static Requests of(Service service, Operation<?, ?> operation) {
        return new Requests(service, operation);
    }

    static Requests query() {
        return of(Service.TABLE, Operations.of(Service.TABLE, "QueryEntities"));
    }

    Requests status(int answer) {
        status = answer;
        return this;
    }

    Requests failed(StorageError answer) {
        error = Optional.of(answer);
        return status(answer.status());
    }

    Requests by(Credentials shown) {
        credentials = shown;
        return this;
    }

    Requests url(String sent) {
        url = sent;
        return this;
    }

    Requests account(String named) {
        account = named;
        return this;
    }

    Requests id(String given) {
        id = given;
        return this;
    }

    Requests sending(long nanos) {
        sendingNanos = nanos;
        return this;
    }

    Requests header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    Requests answered(String name, String value) {
        answered.put(name, value);
        return this;
    }

    /** Took 40 ms, brought 100 bytes with a head of 200 and got 1000 with a head of 300. */
    RequestSummary made() {
        RequestDetails details = new RequestDetails() {
            @Override
            public Credentials credentials() {
                return credentials;
            }

            @Override
            public String method() {
                return "GET";
            }

            @Override
            public String url() {
                return url;
            }

            @Override
            public String rawResource() {
                return "/orders()";
            }

            @Override
            public int clientPort() {
                return 4362;
            }

            @Override
            public Optional<String> header(String name) {
                return Optional.ofNullable(headers.get(name));
            }

            @Override
            public Optional<String> responseHeader(String name) {
                return Optional.ofNullable(answered.get(name));
            }

            @Override
            public long headBytes() {
                return 200;
            }

            @Override
            public long responseHeadBytes() {
                return 300;
            }

            @Override
            public long sendingNanos() {
                return sendingNanos;
            }
        };
        int question = url.indexOf('?');
        return new RequestSummary(
                id,
                Optional.ofNullable(headers.get("x-ms-client-request-id")),
                "192.0.2.7",
                account,
                service,
                operation,
                Optional.of("orders"),
                question < 0 ? QueryParameters.NONE : QueryParameters.parse(url.substring(question + 1)),
                status,
                error,
                40_000_000,
                100,
                1000,
                Optional.empty(),
                0,
                0,
                details);
    }
}
