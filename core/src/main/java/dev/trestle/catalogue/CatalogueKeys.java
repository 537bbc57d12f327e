package dev.trestle.catalogue;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.util.HexFormat;
import java.util.Locale;

/** The keys of a service's catalogue rows; {@link Catalogue} describes the layout. */
record CatalogueKeys(Service service) {
    /** The collection of all catalogues. Ids of other collections are random and never equal this one. */
    static final long SYSTEM_COLLECTION = 0x0101_0101_0101_0101L;

    static final String COLLECTION_PREFIX = "c/";
    static final String COLLECTION_PREFIX_END = "c0";
    private static final String DROPPED_PREFIX = "d/";
    private static final String DROPPED_PREFIX_END = "d0";
    private static final String PROPERTIES_ROW = "p";

    /** Lies in the partition of an account without a name, which cannot exist. */
    private static final String PROBE_ROW = "w";

    static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    String partition(String account) {
        return account + "/" + service.word();
    }

    Key collection(String account, String name) {
        return row(account, COLLECTION_PREFIX + folded(name));
    }

    Key dropped(String account, long id) {
        return row(account, DROPPED_PREFIX + HexFormat.of().toHexDigits(id));
    }

    KeyRange allDropped(String account) {
        return new KeyRange(
                row(account, DROPPED_PREFIX).bytes(),
                row(account, DROPPED_PREFIX_END).bytes());
    }

    Key properties(String account) {
        return row(account, PROPERTIES_ROW);
    }

    Key probe() {
        return row("", PROBE_ROW);
    }

    Key row(String account, String rowKey) {
        return Key.of(SYSTEM_COLLECTION, partition(account), rowKey);
    }
}
