package dev.trestle.patterns;

import com.azure.data.tables.models.TableEntity;
import dev.trestle.patterns.crypto.PropertyEncryption;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.Projection;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Derives queries that select fewer properties. */
record Projections(RowMapper<?> rows) {
    <P> QuerySpec<P> select(QuerySpec<?> spec, Class<P> type) {
        Projection<P> projection = Projection.of(rows.mapping(), type);
        List<String> properties = new ArrayList<>(projection.properties());
        properties.add(EntityKey.PARTITION_KEY);
        properties.add(EntityKey.ROW_KEY);
        if (rows.encryption().isPresent()) {
            properties.add(PropertyEncryption.envelopeProperty());
        }
        return spec.select(properties, entity -> rows.read(EntityRow.of(entity), projection::fromRow));
    }

    /** Returns the query for the keys only. */
    QuerySpec<EntityKey> keys(QuerySpec<?> spec) {
        return spec.select(List.of(EntityKey.PARTITION_KEY, EntityKey.ROW_KEY), Projections::keyOf);
    }

    private static Stored<EntityKey> keyOf(TableEntity entity) {
        EntityRow row = EntityRow.of(entity);
        return new Stored<>(row.key(), row.key(), row.etag().orElse("*"), row.timestamp(), Map.of());
    }
}
