package dev.trestle.patterns;

import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A write to one entity, to be executed alone, in a transaction or in bulk. Created by {@link EntityWrites}.
 *
 * @param conditional whether the write requires that the stored entity has the ETag of the row
 */
public record Write(TableTransactionActionType type, EntityRow row, boolean conditional) {
    /** The overhead per entity in a transaction: headers, address and type names. */
    private static final int ENTITY_OVERHEAD_BYTES = 1_200;

    private static final int PROPERTY_OVERHEAD_BYTES = 40;
    private static final int NUMBER_BYTES = 40;

    public EntityKey key() {
        return row.key();
    }

    TableTransactionAction action() {
        return new TableTransactionAction(type, row.toTableEntity(), conditional);
    }

    /** Estimates the size in a transaction, in bytes; errs on the high side. */
    int bytesEstimated() {
        // Keys also appear in the address, where a character may take nine bytes.
        int keys = 12 * (key().partitionKey().length() + key().rowKey().length());
        int properties = 0;
        for (Map.Entry<String, Object> property : row.properties().entrySet()) {
            // The name appears again in the type annotation.
            properties += 2 * property.getKey().length() + PROPERTY_OVERHEAD_BYTES + bytes(property.getValue());
        }
        return ENTITY_OVERHEAD_BYTES + keys + properties;
    }

    private static int bytes(Object value) {
        if (value instanceof String text) {
            int escaped = (int)
                    text.chars().filter(c -> c < ' ' || c == '"' || c == '\\').count();
            return text.getBytes(StandardCharsets.UTF_8).length + 5 * escaped;
        }
        return value instanceof byte[] bytes ? bytes.length * 4 / 3 + 4 : NUMBER_BYTES;
    }
}
