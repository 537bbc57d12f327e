package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyRangePropertyTest {
    private static final long COLLECTION = 0x0101010101010101L;

    /** Few enough that keys often meet the bounds; the last two sort differently by code point than by code unit. */
    private static final List<String> KEYS = List.of("", "a", "a'", "aa", "ab", "b", "é", "\uFF5E", "\uD83D\uDE00");

    private final Judge judge = new Judge();

    @Test
    void a_query_sees_exactly_the_keys_that_can_be_written() {
        Random random = new Random(11);
        byte[] row = new RowBuilder().build();
        for (int i = 0; i < 300; i++) {
            Sas sas = randomRange(random);
            Grant grant = judge.grant(Requests.with(sas));
            Map<String, String> fields = sas.signed();
            RowMatcher scope = RowMatcher.of(grant.scope());
            for (String partitionKey : KEYS) {
                for (String rowKey : KEYS) {
                    assertThat(scope.matches(Key.of(COLLECTION, partitionKey, rowKey), row))
                            .as("%s at (%s, %s)", fields, partitionKey, rowKey)
                            .isEqualTo(writable(grant, new EntityKey(partitionKey, rowKey)))
                            .isEqualTo(documented(fields, partitionKey, rowKey));
                }
            }
        }
    }

    private static Sas randomRange(Random random) {
        Sas sas = Sas.table("orders");
        for (String bound : List.of("s", "e")) {
            int kind = random.nextInt(3);
            if (kind > 0) {
                sas.with(bound + "pk", KEYS.get(random.nextInt(KEYS.size())));
            }
            if (kind > 1) {
                sas.with(bound + "rk", KEYS.get(random.nextInt(KEYS.size())));
            }
        }
        return sas;
    }

    private static boolean writable(Grant grant, EntityKey key) {
        try {
            grant.checkKey(key);
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    /** The rule in the words of the documentation. */
    private static boolean documented(Map<String, String> fields, String partitionKey, String rowKey) {
        String spk = fields.get("spk");
        String srk = fields.get("srk");
        String epk = fields.get("epk");
        String erk = fields.get("erk");
        boolean afterStart = spk == null
                || partitionKey.compareTo(spk) > 0
                || (partitionKey.equals(spk) && (srk == null || rowKey.compareTo(srk) >= 0));
        boolean beforeEnd = epk == null
                || partitionKey.compareTo(epk) < 0
                || (partitionKey.equals(epk) && (erk == null || rowKey.compareTo(erk) <= 0));
        return afterStart && beforeEnd;
    }
}
