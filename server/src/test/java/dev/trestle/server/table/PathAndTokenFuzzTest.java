package dev.trestle.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import dev.trestle.server.table.json.EntityUrl;
import java.nio.charset.StandardCharsets;

/** Any path and any token is refused, or means something that can be written and read again. */
class PathAndTokenFuzzTest {
    @FuzzTest
    void any_path_is_a_resource_or_refused(byte[] input) {
        try {
            ResourcePath path = ResourcePath.parse("/" + new String(input, StandardCharsets.UTF_8));
            EntityKey key = path.entityKey("acct");
            assertThat(ResourcePath.parse("/" + EntityUrl.of("orders", key)).entityKey("acct"))
                    .isEqualTo(key);
        } catch (StorageException e) {
            assertThat(e.error().status()).isEqualTo(400);
        }
    }

    @FuzzTest
    void any_token_is_a_string_or_refused(byte[] input) {
        String token = new String(input, StandardCharsets.UTF_8);
        try {
            assertThat(ContinuationToken.encode(ContinuationToken.decode(token)))
                    .isEqualTo(token);
        } catch (StorageException e) {
            assertThat(e.error().status()).isEqualTo(400);
        }
    }
}
