package dev.trestle.catalogue;

import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Encodes catalogue values as rows and decodes them: a column per field, numbered for lists. */
final class CatalogueRowCodec {
    private static final String LIST_SEPARATOR = ",";

    private CatalogueRowCodec() {}

    static byte[] encode(CatalogueEntry collection) {
        RowBuilder row = new RowBuilder()
                .put("Name", new EdmValue.Text(collection.name()))
                .put("Id", new EdmValue.Int64(collection.id()))
                .put("Created", new EdmValue.DateTime(collection.created()))
                .put("Policies", new EdmValue.Int32(collection.policies().size()));
        for (int i = 0; i < collection.policies().size(); i++) {
            AccessPolicy policy = collection.policies().get(i);
            String prefix = "Policy" + i;
            row.put(prefix + "Id", new EdmValue.Text(policy.id()));
            policy.start().ifPresent(ticks -> row.put(prefix + "Start", new EdmValue.DateTime(ticks)));
            policy.expiry().ifPresent(ticks -> row.put(prefix + "Expiry", new EdmValue.DateTime(ticks)));
            policy.permissions().ifPresent(text -> row.put(prefix + "Permissions", new EdmValue.Text(text)));
        }
        encode(row, "Metadata", collection.metadata());
        encode(row, "Attribute", collection.attributes());
        return row.build();
    }

    /** Encodes names and values as numbered columns; an empty map has no columns. */
    private static void encode(RowBuilder row, String prefix, Map<String, String> texts) {
        if (texts.isEmpty()) {
            return;
        }
        row.put(prefix, new EdmValue.Int32(texts.size()));
        int i = 0;
        for (Map.Entry<String, String> entry : new TreeMap<>(texts).entrySet()) {
            row.put(prefix + i + "Name", new EdmValue.Text(entry.getKey()))
                    .put(prefix + i + "Value", new EdmValue.Text(entry.getValue()));
            i++;
        }
    }

    static CatalogueEntry decodeCollection(byte[] row) {
        Columns columns = new Columns(row);
        List<AccessPolicy> policies = new ArrayList<>();
        for (int i = 0; i < columns.int32("Policies"); i++) {
            String prefix = "Policy" + i;
            policies.add(new AccessPolicy(
                    columns.text(prefix + "Id"),
                    columns.ticks(prefix + "Start"),
                    columns.ticks(prefix + "Expiry"),
                    columns.optionalText(prefix + "Permissions")));
        }
        return new CatalogueEntry(
                columns.text("Name"),
                columns.int64("Id"),
                columns.ticks("Created").orElseThrow(),
                policies,
                columns.texts("Metadata"),
                columns.texts("Attribute"));
    }

    static byte[] encode(ServiceProperties properties) {
        RowBuilder row = new RowBuilder();
        Logging logging = properties.logging();
        row.put("LoggingVersion", new EdmValue.Text(logging.version()))
                .put("LoggingRead", new EdmValue.Bool(logging.read()))
                .put("LoggingWrite", new EdmValue.Bool(logging.write()))
                .put("LoggingDelete", new EdmValue.Bool(logging.delete()));
        encode(row, "Logging", logging.retention());
        encode(row, "Hour", properties.hourMetrics());
        encode(row, "Minute", properties.minuteMetrics());
        properties.defaultVersion().ifPresent(text -> row.put("DefaultVersion", new EdmValue.Text(text)));
        row.put("Cors", new EdmValue.Int32(properties.cors().size()));
        for (int i = 0; i < properties.cors().size(); i++) {
            CorsRule rule = properties.cors().get(i);
            String prefix = "Cors" + i;
            row.put(prefix + "Origins", list(rule.origins()))
                    .put(prefix + "Methods", list(rule.methods()))
                    .put(prefix + "Allowed", list(rule.allowedHeaders()))
                    .put(prefix + "Exposed", list(rule.exposedHeaders()))
                    .put(prefix + "MaxAge", new EdmValue.Int32(rule.maxAgeSeconds()));
        }
        return row.build();
    }

    private static void encode(RowBuilder row, String prefix, Metrics metrics) {
        row.put(prefix + "Version", new EdmValue.Text(metrics.version()))
                .put(prefix + "Enabled", new EdmValue.Bool(metrics.enabled()));
        metrics.includeApis().ifPresent(value -> row.put(prefix + "IncludeApis", new EdmValue.Bool(value)));
        encode(row, prefix, metrics.retention());
    }

    private static void encode(RowBuilder row, String prefix, Retention retention) {
        retention.days().ifPresent(days -> row.put(prefix + "Days", new EdmValue.Int32(days)));
    }

    static ServiceProperties decodeProperties(byte[] row) {
        Columns columns = new Columns(row);
        List<CorsRule> rules = new ArrayList<>();
        for (int i = 0; i < columns.int32("Cors"); i++) {
            String prefix = "Cors" + i;
            rules.add(new CorsRule(
                    columns.list(prefix + "Origins"),
                    columns.list(prefix + "Methods"),
                    columns.list(prefix + "Allowed"),
                    columns.list(prefix + "Exposed"),
                    columns.int32(prefix + "MaxAge")));
        }
        Logging logging = new Logging(
                columns.text("LoggingVersion"),
                columns.bool("LoggingRead"),
                columns.bool("LoggingWrite"),
                columns.bool("LoggingDelete"),
                columns.retention("Logging"));
        return new ServiceProperties(
                logging,
                columns.metrics("Hour"),
                columns.metrics("Minute"),
                rules,
                columns.optionalText("DefaultVersion"));
    }

    private static EdmValue list(List<String> values) {
        return new EdmValue.Text(String.join(LIST_SEPARATOR, values));
    }

    /** The columns of a row by name; rows of the catalogue are small and seldom read. */
    private static final class Columns {
        private final Map<String, EdmValue> values = new HashMap<>();

        Columns(byte[] row) {
            RowReader reader = new RowReader().reset(row);
            while (reader.next()) {
                values.put(reader.name(), reader.value());
            }
        }

        private <T extends EdmValue> Optional<T> find(String name, Class<T> type) {
            return Optional.ofNullable(values.get(name)).map(type::cast);
        }

        private <T extends EdmValue> T get(String name, Class<T> type) {
            return find(name, type)
                    .orElseThrow(() -> new IllegalStateException("a catalogue row lacks its column " + name));
        }

        String text(String name) {
            return get(name, EdmValue.Text.class).value();
        }

        Optional<String> optionalText(String name) {
            return find(name, EdmValue.Text.class).map(EdmValue.Text::value);
        }

        int int32(String name) {
            return get(name, EdmValue.Int32.class).value();
        }

        long int64(String name) {
            return get(name, EdmValue.Int64.class).value();
        }

        boolean bool(String name) {
            return get(name, EdmValue.Bool.class).value();
        }

        OptionalLong ticks(String name) {
            Optional<EdmValue.DateTime> time = find(name, EdmValue.DateTime.class);
            return time.isPresent() ? OptionalLong.of(time.get().ticks()) : OptionalLong.empty();
        }

        List<String> list(String name) {
            String text = text(name);
            return text.isEmpty() ? List.of() : List.of(text.split(LIST_SEPARATOR, -1));
        }

        Map<String, String> texts(String prefix) {
            Map<String, String> texts = new HashMap<>();
            int size = find(prefix, EdmValue.Int32.class)
                    .map(EdmValue.Int32::value)
                    .orElse(0);
            for (int i = 0; i < size; i++) {
                texts.put(text(prefix + i + "Name"), text(prefix + i + "Value"));
            }
            return texts;
        }

        Retention retention(String prefix) {
            return new Retention(find(prefix + "Days", EdmValue.Int32.class).map(EdmValue.Int32::value));
        }

        Metrics metrics(String prefix) {
            return new Metrics(
                    text(prefix + "Version"),
                    bool(prefix + "Enabled"),
                    find(prefix + "IncludeApis", EdmValue.Bool.class).map(EdmValue.Bool::value),
                    retention(prefix));
        }
    }
}
