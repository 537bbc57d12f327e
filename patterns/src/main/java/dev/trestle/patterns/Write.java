package dev.trestle.patterns;

import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One change of one entity, ready to be sent alone, in a transaction or in bulk. Made by {@link EntityWrites}.
 *
 * @param conditional whether the stored entity must still have the ETag of the row
 */
public record Write(TableTransactionActionType type, EntityRow row, boolean conditional) {
    /** What a part of a transaction has around its entity: headers, address, names of types. */
    private static final int BYTES_AROUND = 1_200;

    private static final int BYTES_AROUND_PROPERTY = 40;
    private static final int BYTES_OF_NUMBER = 40;

    public EntityKey key() {
        return row.key();
    }

    TableTransactionAction action() {
        return new TableTransactionAction(type, row.toTableEntity(), conditional);
    }

    /** About how many bytes this takes in a transaction, rather too many than too few. */
    int bytesEstimated() {
        // The keys stand in the address too, where a character may take nine bytes.
        int keys = 12 * (key().partitionKey().length() + key().rowKey().length());
        int properties = 0;
        for (Map.Entry<String, Object> property : row.properties().entrySet()) {
            // The name once more with the type.
            properties += 2 * property.getKey().length() + BYTES_AROUND_PROPERTY + bytes(property.getValue());
        }
        return BYTES_AROUND + keys + properties;
    }

    private static int bytes(Object value) {
        if (value instanceof String text) {
            int escaped = (int)
                    text.chars().filter(c -> c < ' ' || c == '"' || c == '\\').count();
            return text.getBytes(StandardCharsets.UTF_8).length + 5 * escaped;
        }
        return value instanceof byte[] bytes ? bytes.length * 4 / 3 + 4 : BYTES_OF_NUMBER;
    }
}
