package dev.trestle.catalogue;

import java.util.List;
import java.util.Optional;

/**
 * The settings of one service of an account: analytics and CORS rules.
 *
 * @param defaultVersion the default protocol version, for the Blob service only; stored and returned, without
 *     effect
 */
public record ServiceProperties(
        Logging logging,
        Metrics hourMetrics,
        Metrics minuteMetrics,
        List<CorsRule> cors,
        Optional<String> defaultVersion) {
    /** The settings of a new account. */
    public static final ServiceProperties DEFAULT = new ServiceProperties(
            new Logging("1.0", false, false, false, Retention.OFF), Metrics.OFF, Metrics.OFF, List.of());

    public ServiceProperties {
        cors = List.copyOf(cors);
    }

    public ServiceProperties(Logging logging, Metrics hourMetrics, Metrics minuteMetrics, List<CorsRule> cors) {
        this(logging, hourMetrics, minuteMetrics, cors, Optional.empty());
    }

    /** How long analytics data is kept; without a limit if {@code days} is empty. */
    public record Retention(Optional<Integer> days) {
        public static final Retention OFF = new Retention(Optional.empty());
    }

    public record Logging(String version, boolean read, boolean write, boolean delete, Retention retention) {}

    /** Request metrics; {@code includeApis} is set only if they are enabled. */
    public record Metrics(String version, boolean enabled, Optional<Boolean> includeApis, Retention retention) {
        public static final Metrics OFF = new Metrics("1.0", false, Optional.empty(), Retention.OFF);
    }

    public record CorsRule(
            List<String> origins,
            List<String> methods,
            List<String> allowedHeaders,
            List<String> exposedHeaders,
            int maxAgeSeconds) {
        public CorsRule {
            origins = List.copyOf(origins);
            methods = List.copyOf(methods);
            allowedHeaders = List.copyOf(allowedHeaders);
            exposedHeaders = List.copyOf(exposedHeaders);
        }
    }

    public ServiceProperties withLogging(Logging value) {
        return new ServiceProperties(value, hourMetrics, minuteMetrics, cors, defaultVersion);
    }

    public ServiceProperties withHourMetrics(Metrics value) {
        return new ServiceProperties(logging, value, minuteMetrics, cors, defaultVersion);
    }

    public ServiceProperties withMinuteMetrics(Metrics value) {
        return new ServiceProperties(logging, hourMetrics, value, cors, defaultVersion);
    }

    public ServiceProperties withCors(List<CorsRule> value) {
        return new ServiceProperties(logging, hourMetrics, minuteMetrics, value, defaultVersion);
    }

    public ServiceProperties withDefaultVersion(String value) {
        return new ServiceProperties(logging, hourMetrics, minuteMetrics, cors, Optional.of(value));
    }
}
