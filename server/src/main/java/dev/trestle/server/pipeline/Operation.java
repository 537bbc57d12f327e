package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a service, such as Put Message, declared once: which requests are for it, the permission it requires, how
 * its body is taken, what it counts against limits and what serves it. Routing, authorization, metrics, logs and the
 * documentation derive from these declarations.
 *
 * @param <H> the handlers of the service
 * @param <C> a call of one of its operations: the request, the grant and the resource
 */
public final class Operation<H, C> {
    /** Stands for the operation of a request that was refused before it was known what it is for. */
    public static final Operation<?, ?> UNKNOWN =
            new Operation<>(new Builder<>(null, "Unknown", made -> {}).needs(Permission.OF_PARTS));

    /** A CORS preflight request, which all services have and for which no credentials are needed. */
    public static final Operation<?, ?> PREFLIGHT =
            new Operation<>(new Builder<>(null, "PreflightRequest", made -> {}));

    private final @Nullable Service service;
    private final String name;
    private final List<Route> routes;
    private final String comp;
    private final Predicate<Request> condition;
    private final Permission permission;
    private final List<ConditionalPermission> conditionalPermissions;
    private final boolean authorizedByParts;
    private final boolean closedOnSystemResources;
    private final BodyMode body;
    private final ThrottlingCost cost;
    private final @Nullable Function<RequestDetails, String> logName;
    private final @Nullable Handler<H, C> handler;

    /** Where an operation is found: a kind of resource, and verbs. */
    record Route(Enum<?> resource, Set<String> verbs) {}

    /** How the body of a request reaches its handler. */
    public sealed interface BodyMode {
        /** The pipeline collects the body before it calls the handler, which finds it in {@link Request#body}. */
        record Collected(int bytesMax) implements BodyMode {}

        /** The handler takes the body from {@link Request#content} as it arrives. */
        record Streamed() implements BodyMode {}

        /** The body is not looked at. */
        record Ignored() implements BodyMode {}
    }

    /** What a request counts against rate limits. */
    public enum ThrottlingCost {
        /** A request of its account. */
        REQUEST,
        /** That, and the entities of one partition that it reads or writes, which the handler counts. */
        REQUEST_AND_ENTITIES
    }

    /** A permission that is required if the request has some property, such as a header. */
    public record ConditionalPermission(Predicate<Request> condition, Permission permission) {}

    /** Serves a call; a failure becomes an error response, whether thrown or in the stage. */
    @FunctionalInterface
    public interface Handler<H, C> {
        CompletionStage<Response> handle(H handlers, C call);
    }

    private Operation(Builder<H, C> declared) {
        this.service = declared.service;
        this.name = declared.name;
        this.routes = List.copyOf(declared.routes);
        this.comp = declared.comp;
        this.condition = declared.condition;
        this.authorizedByParts = declared.permission.equals(Permission.OF_PARTS);
        this.permission =
                authorizedByParts ? Permission.OF_PARTS : declared.permission.named(constantName(declared.name));
        this.conditionalPermissions = List.copyOf(declared.conditionalPermissions);
        this.closedOnSystemResources = declared.closedOnSystemResources;
        this.body = declared.body;
        this.cost = declared.cost;
        this.logName = declared.logName;
        this.handler = declared.handler;
    }

    /** {@code PutMessage} as {@code PUT_MESSAGE}, which refusals show. */
    private static String constantName(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    /** The name in the documentation of the service, by which metrics and logs know the operation. */
    public String name() {
        return name;
    }

    List<Route> routes() {
        return routes;
    }

    String comp() {
        return comp;
    }

    boolean accepts(Request request) {
        return condition.test(request);
    }

    public Permission permission() {
        return permission;
    }

    public List<ConditionalPermission> conditionalPermissions() {
        return conditionalPermissions;
    }

    public BodyMode body() {
        return body;
    }

    public ThrottlingCost cost() {
        return cost;
    }

    /** The name in the logs and metrics that accounts can read, where that is another one. */
    public String logName(Service of, RequestDetails details) {
        return logName != null ? logName.apply(details) : this == PREFLIGHT ? capitalized(of.word()) + name : name;
    }

    /** A word with its first letter in upper case. */
    public static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    CompletionStage<Response> call(H handlers, C call) {
        return Objects.requireNonNull(handler).handle(handlers, call);
    }

    /**
     * Returns if the grant has all permissions that the request requires.
     *
     * @param on the resource, in the form in which names are compared; empty for the service as a whole
     * @param systemResource whether the service itself writes the resource, such as {@code $logs}: its clients may read it and
     *     delete from it, and no more
     * @throws StorageException otherwise
     */
    public void authorize(Request request, Grant grant, Optional<String> on, boolean systemResource) {
        if (!authorizedByParts) {
            grant.check(permission, on);
        }
        for (ConditionalPermission each : conditionalPermissions) {
            if (each.condition.test(request)) {
                grant.check(each.permission, on);
            }
        }
        if (systemResource && closedOnSystemResources) {
            throw new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        }
    }

    @Override
    public String toString() {
        return service == null ? name : service.word() + " " + name;
    }

    /** A declaration that is not complete yet; {@link OperationTable.Builder} begins one. */
    public static final class Builder<H, C> {
        private final @Nullable Service service;
        private final String name;
        private final Consumer<Operation<H, C>> declared;
        private final List<Route> routes = new ArrayList<>();
        private String comp = "";
        private Predicate<Request> condition = request -> true;
        private Permission permission = Permission.onService();
        private final List<ConditionalPermission> conditionalPermissions = new ArrayList<>();
        private boolean closedOnSystemResources;
        private BodyMode body = new BodyMode.Ignored();
        private ThrottlingCost cost = ThrottlingCost.REQUEST;
        private @Nullable Function<RequestDetails, String> logName;
        private @Nullable Handler<H, C> handler;

        /** @param declared is told of the operation when its declaration is complete */
        Builder(@Nullable Service service, String name, Consumer<Operation<H, C>> declared) {
            this.service = service;
            this.name = name;
            this.declared = declared;
        }

        /** The kind of resource that the path leads to, and the verbs; more than one if repeated. */
        public Builder<H, C> at(Enum<?> resource, String... verbs) {
            this.routes.add(new Route(resource, Set.of(verbs)));
            return this;
        }

        /** The query parameter {@code comp}, which is absent otherwise. */
        public Builder<H, C> comp(String value) {
            this.comp = value;
            return this;
        }

        /** What else has to hold of the request; of several operations the first that accepts it serves it. */
        public Builder<H, C> when(Predicate<Request> holds) {
            this.condition = holds;
            return this;
        }

        public Builder<H, C> needs(Permission required) {
            this.permission = required;
            return this;
        }

        /** Requires a further permission of requests for which this holds. */
        public Builder<H, C> needs(Permission required, Predicate<Request> holds) {
            this.conditionalPermissions.add(new ConditionalPermission(holds, required));
            return this;
        }

        /** The operation changes what only the service itself may change in resources such as {@code $logs}. */
        public Builder<H, C> closedOnSystemResources() {
            this.closedOnSystemResources = true;
            return this;
        }

        public Builder<H, C> collects(int bytesMax) {
            this.body = new BodyMode.Collected(bytesMax);
            return this;
        }

        public Builder<H, C> streams() {
            this.body = new BodyMode.Streamed();
            return this;
        }

        public Builder<H, C> countsEntities() {
            this.cost = ThrottlingCost.REQUEST_AND_ENTITIES;
            return this;
        }

        public Builder<H, C> loggedAs(String otherName) {
            return loggedAs(details -> otherName);
        }

        public Builder<H, C> loggedAs(Function<RequestDetails, String> naming) {
            this.logName = naming;
            return this;
        }

        /** Ends the declaration with what serves the operation. */
        public Operation<H, C> servedBy(Handler<H, C> served) {
            this.handler = served;
            Operation<H, C> operation = new Operation<>(this);
            declared.accept(operation);
            return operation;
        }
    }
}
