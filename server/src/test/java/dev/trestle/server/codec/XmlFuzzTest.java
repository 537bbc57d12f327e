package dev.trestle.server.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.blob.UserDelegationXml;
import java.time.Instant;
import java.util.List;

/** Any document is refused, or read as something that is written and read again as the same. */
class XmlFuzzTest {
    private static final long NOW = Ticks.of(Instant.parse("2026-07-31T18:00:00Z"));

    @FuzzTest
    void any_document_is_understood_or_refused(byte[] input) {
        try {
            List<AccessPolicy> policies = AclXml.read(input, 0, input.length, "raud");
            byte[] again = AclXml.write(policies);
            assertThat(AclXml.read(again, 0, again.length, "raud")).isEqualTo(policies);
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
        }
        try {
            ServiceProperties properties = ServicePropertiesXml.read(ServiceProperties.DEFAULT, input, 0, input.length);
            byte[] again = ServicePropertiesXml.write(properties);
            assertThat(ServicePropertiesXml.read(ServiceProperties.DEFAULT, again, 0, again.length))
                    .isEqualTo(properties);
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
        }
        try {
            UserDelegationXml.KeyInfo info = UserDelegationXml.read(input, 0, input.length, NOW);
            assertThat(info.expiry()).isGreaterThan(info.start()).isGreaterThan(NOW);
        } catch (StorageException e) {
            assertThat(e.error()).isIn(StorageError.INVALID_XML_DOCUMENT, StorageError.INVALID_XML_NODE_VALUE);
        }
    }
}
