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
 * An operation of a service, such as Put Message, declared once: how a request matches it, the permission it
 * requires, its body mode, its throttling cost and its handler. Routing, authorization, metrics, logs and the
 * documentation derive from this.
 *
 * @param <H> the handlers of the service
 * @param <C> a call of an operation: the request, the grant and the resource
 */
public final class Operation<H, C> {
    /** Stands for the operation of a request that was refused before it was matched. */
    public static final Operation<?, ?> UNKNOWN =
            new Operation<>(new Builder<>(null, "Unknown", made -> {}).needs(Permission.OF_PARTS));

    /** A CORS preflight request, which every service has and which needs no credentials. */
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

    /** The kind of resource and the verbs of an operation. */
    record Route(Enum<?> resource, Set<String> verbs) {}

    /** How the body of a request reaches its handler. */
    public sealed interface BodyMode {
        /** The pipeline collects the body before it calls the handler, which finds it in {@link Request#body}. */
        record Collected(int bytesMax) implements BodyMode {}

        /** The handler takes the body from {@link Request#content} as it arrives. */
        record Streamed() implements BodyMode {}

        /** The body is ignored. */
        record Ignored() implements BodyMode {}
    }

    /** How a request counts against rate limits. */
    public enum ThrottlingCost {
        /** As a request to its account. */
        REQUEST,
        /** Also by the entities that it reads or writes in one partition, which the handler counts. */
        REQUEST_AND_ENTITIES
    }

    /** A permission that is required if a condition holds, such as the presence of a header. */
    public record ConditionalPermission(Predicate<Request> condition, Permission permission) {}

    /** Executes a call. A failure becomes an error response, whether it is thrown or completes the stage. */
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

    /** Returns {@code PUT_MESSAGE} for {@code PutMessage}, for error messages. */
    private static String constantName(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    /** Returns the name in the documentation of the service, which metrics and logs use. */
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

    /** Returns the name in the logs and metrics of Storage Analytics, which may differ. */
    public String logName(Service of, RequestDetails details) {
        return logName != null ? logName.apply(details) : this == PREFLIGHT ? capitalized(of.word()) + name : name;
    }

    /** Returns the word with its first letter in upper case. */
    public static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Calls the handler. */
    public CompletionStage<Response> call(H handlers, C call) {
        return Objects.requireNonNull(handler).handle(handlers, call);
    }

    /**
     * Throws unless the grant has all permissions that the request requires.
     *
     * @param on the normalized name of the resource; empty for the service as a whole
     * @param systemResource whether only the service itself writes the resource, such as {@code $logs}; clients
     *     may only read it and delete from it
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

    /** An incomplete declaration; {@link OperationTable.Builder} creates one. */
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

        /** @param declared receives the operation when its declaration is complete */
        Builder(@Nullable Service service, String name, Consumer<Operation<H, C>> declared) {
            this.service = service;
            this.name = name;
            this.declared = declared;
        }

        /** Matches this kind of resource and these verbs; may be repeated. */
        public Builder<H, C> at(Enum<?> resource, String... verbs) {
            this.routes.add(new Route(resource, Set.of(verbs)));
            return this;
        }

        /** Matches this value of the query parameter {@code comp}; without it, {@code comp} must be absent. */
        public Builder<H, C> comp(String value) {
            this.comp = value;
            return this;
        }

        /** Adds a condition on the request; of several matching operations, the first one is called. */
        public Builder<H, C> when(Predicate<Request> holds) {
            this.condition = holds;
            return this;
        }

        public Builder<H, C> needs(Permission required) {
            this.permission = required;
            return this;
        }

        /** Requires a further permission of requests that fulfil a condition. */
        public Builder<H, C> needs(Permission required, Predicate<Request> holds) {
            this.conditionalPermissions.add(new ConditionalPermission(holds, required));
            return this;
        }

        /** Forbids the operation on resources that only the service itself writes, such as {@code $logs}. */
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

        /** Completes the declaration with the handler. */
        public Operation<H, C> servedBy(Handler<H, C> served) {
            this.handler = served;
            Operation<H, C> operation = new Operation<>(this);
            declared.accept(operation);
            return operation;
        }
    }
}
