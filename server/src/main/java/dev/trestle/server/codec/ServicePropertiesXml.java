package dev.trestle.server.codec;

import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Codec of service properties, the {@code StorageServiceProperties} document. */
public final class ServicePropertiesXml {
    private static final String ROOT = "StorageServiceProperties";
    private static final String VERSION = "1.0";
    private static final int RETENTION_DAYS_MAX = 365;
    private static final int ORIGINS_MAX = 64;
    private static final int LITERAL_HEADERS_MAX = 64;
    private static final int PREFIX_HEADERS_MAX = 2;
    private static final int ITEM_UNITS_MAX = 256;
    private static final int CORS_UNITS_MAX = 2048;
    private static final Set<String> METHODS =
            Set.of("DELETE", "GET", "HEAD", "MERGE", "POST", "OPTIONS", "PUT", "PATCH", "CONNECT", "TRACE");

    private ServicePropertiesXml() {}

    /** Returns the properties as changed by the document; sections that are not in it keep their values. */
    public static ServiceProperties read(ServiceProperties before, byte[] document, int offset, int length) {
        return read(before, document, offset, length, false);
    }

    /** Like {@link #read} for the Blob service, which has more sections. */
    public static ServiceProperties readForBlobs(ServiceProperties before, byte[] document, int offset, int length) {
        return read(before, document, offset, length, true);
    }

    private static ServiceProperties read(
            ServiceProperties before, byte[] document, int offset, int length, boolean blobs) {
        ServiceProperties after = before;
        for (XmlReader.Element section :
                XmlReader.read(document, offset, length, ROOT).children()) {
            after = switch (section.name()) {
                case "Logging" -> after.withLogging(logging(section));
                case "HourMetrics", "Metrics" -> after.withHourMetrics(metrics(section));
                case "MinuteMetrics" -> after.withMinuteMetrics(metrics(section));
                case "Cors" -> after.withCors(cors(section));
                default -> {
                    if (!blobs) {
                        throw XmlReader.invalid();
                    }
                    yield blobSection(after, section);
                }
            };
        }
        return after;
    }

    private static ServiceProperties blobSection(ServiceProperties before, XmlReader.Element section) {
        return switch (section.name()) {
            case "DefaultServiceVersion" -> before.withDefaultVersion(section.text());
            case "DeleteRetentionPolicy", "StaticWebsite" -> {
                if (bool(section.required("Enabled"))) {
                    if (section.name().equals("DeleteRetentionPolicy")) {
                        retention(section);
                    }
                    throw new StorageException(
                            StorageError.NOT_IMPLEMENTED,
                            "This server cannot do what " + section.name() + " asks for, so it was left switched off.");
                }
                yield before;
            }
            default -> throw XmlReader.invalid();
        };
    }

    private static Logging logging(XmlReader.Element section) {
        return new Logging(
                version(section),
                bool(section.required("Read")),
                bool(section.required("Write")),
                bool(section.required("Delete")),
                retention(section.required("RetentionPolicy")));
    }

    private static Metrics metrics(XmlReader.Element section) {
        boolean enabled = bool(section.required("Enabled"));
        Optional<Boolean> includeApis = section.child("IncludeAPIs").map(ServicePropertiesXml::bool);
        if (!enabled && includeApis.isPresent()) {
            throw XmlReader.invalid();
        }
        return new Metrics(version(section), enabled, includeApis, retention(section.required("RetentionPolicy")));
    }

    private static String version(XmlReader.Element section) {
        String version = section.required("Version").text();
        if (!version.equals(VERSION)) {
            throw XmlReader.invalid();
        }
        return version;
    }

    private static Retention retention(XmlReader.Element policy) {
        boolean enabled = bool(policy.required("Enabled"));
        Optional<XmlReader.Element> element = policy.child("Days");
        Optional<Integer> days = element.map(ServicePropertiesXml::number);
        if (days.filter(count -> count < 1 || count > RETENTION_DAYS_MAX).isPresent()) {
            throw XmlReader.invalid(
                    element.get().after(),
                    "Retention days must be greater than 0 and less than or equal to " + RETENTION_DAYS_MAX + " days.");
        }
        if (enabled != days.isPresent()) {
            throw XmlReader.invalid();
        }
        return new Retention(days);
    }

    private static List<CorsRule> cors(XmlReader.Element section) {
        List<CorsRule> rules = new ArrayList<>();
        int units = 0;
        for (XmlReader.Element rule : section.children()) {
            if (!rule.name().equals("CorsRule")) {
                throw XmlReader.invalid();
            }
            units += rule.children().stream()
                    .mapToInt(child -> child.text().length())
                    .sum();
            rules.add(corsRule(rule));
        }
        if (rules.size() > Limits.CORS_RULES_MAX || units > CORS_UNITS_MAX) {
            throw XmlReader.invalid();
        }
        return rules;
    }

    private static CorsRule corsRule(XmlReader.Element rule) {
        CorsRule parsed = new CorsRule(
                list(rule.required("AllowedOrigins")),
                list(rule.required("AllowedMethods")),
                list(rule.required("AllowedHeaders")),
                list(rule.required("ExposedHeaders")),
                number(rule.required("MaxAgeInSeconds")));
        if (parsed.origins().isEmpty()
                || parsed.origins().size() > ORIGINS_MAX
                || parsed.methods().isEmpty()
                || !METHODS.containsAll(parsed.methods())
                || tooManyHeaders(parsed.allowedHeaders())
                || tooManyHeaders(parsed.exposedHeaders())
                || parsed.maxAgeSeconds() < 0) {
            throw XmlReader.invalid();
        }
        return parsed;
    }

    private static boolean tooManyHeaders(List<String> headers) {
        long prefixes = headers.stream().filter(header -> header.endsWith("*")).count();
        return prefixes > PREFIX_HEADERS_MAX || headers.size() - prefixes > LITERAL_HEADERS_MAX;
    }

    private static List<String> list(XmlReader.Element element) {
        if (element.text().isEmpty()) {
            return List.of();
        }
        List<String> items =
                Arrays.stream(element.text().split(",", -1)).map(String::strip).toList();
        if (items.stream().anyMatch(item -> item.isEmpty() || item.length() > ITEM_UNITS_MAX || !fitsHeader(item))) {
            throw XmlReader.invalid();
        }
        return items;
    }

    /** Items become response headers, where a line end would start another header. */
    private static boolean fitsHeader(String item) {
        return item.chars().noneMatch(Character::isISOControl);
    }

    private static boolean bool(XmlReader.Element element) {
        return switch (element.text()) {
            case "true", "True", "1" -> true;
            case "false", "False", "0" -> false;
            default -> throw XmlReader.invalid();
        };
    }

    private static int number(XmlReader.Element element) {
        try {
            return Integer.parseInt(element.text());
        } catch (NumberFormatException e) {
            throw XmlReader.invalid();
        }
    }

    public static byte[] write(ServiceProperties properties) {
        return write(properties, false);
    }

    /** Like {@link #write} for the Blob service, which has more sections. */
    public static byte[] writeForBlobs(ServiceProperties properties) {
        return write(properties, true);
    }

    private static byte[] write(ServiceProperties properties, boolean blobs) {
        XmlWriter xml = new XmlWriter(true).open(ROOT);
        Logging logging = properties.logging();
        xml.open("Logging")
                .element("Version", logging.version())
                .element("Read", Boolean.toString(logging.read()))
                .element("Write", Boolean.toString(logging.write()))
                .element("Delete", Boolean.toString(logging.delete()));
        write(xml, logging.retention());
        xml.close("Logging");
        write(xml, "HourMetrics", properties.hourMetrics());
        write(xml, "MinuteMetrics", properties.minuteMetrics());
        if (properties.cors().isEmpty()) {
            xml.empty("Cors");
        } else {
            xml.open("Cors");
            properties.cors().forEach(rule -> write(xml, rule));
            xml.close("Cors");
        }
        if (blobs) {
            properties.defaultVersion().ifPresent(text -> xml.element("DefaultServiceVersion", text));
            for (String off : List.of("DeleteRetentionPolicy", "StaticWebsite")) {
                xml.open(off).element("Enabled", "false").close(off);
            }
        }
        return xml.close(ROOT).toBytes();
    }

    private static void write(XmlWriter xml, String name, Metrics metrics) {
        xml.open(name).element("Version", metrics.version()).element("Enabled", Boolean.toString(metrics.enabled()));
        metrics.includeApis().ifPresent(value -> xml.element("IncludeAPIs", Boolean.toString(value)));
        write(xml, metrics.retention());
        xml.close(name);
    }

    private static void write(XmlWriter xml, Retention retention) {
        xml.open("RetentionPolicy")
                .element("Enabled", Boolean.toString(retention.days().isPresent()));
        retention.days().ifPresent(days -> xml.element("Days", Integer.toString(days)));
        xml.close("RetentionPolicy");
    }

    private static void write(XmlWriter xml, CorsRule rule) {
        xml.open("CorsRule")
                .element("AllowedMethods", String.join(",", rule.methods()))
                .element("AllowedOrigins", String.join(",", rule.origins()))
                .element("AllowedHeaders", String.join(",", rule.allowedHeaders()))
                .element("ExposedHeaders", String.join(",", rule.exposedHeaders()))
                .element("MaxAgeInSeconds", Integer.toString(rule.maxAgeSeconds()))
                .close("CorsRule");
    }
}
