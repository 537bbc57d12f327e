package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors that are detected before Kerberos is contacted; a cluster with Kerberos tests the others. */
class KerberosLoginTest {
    @TempDir
    private Path folder;

    private final Configuration configuration = new Configuration(false);

    private void assertRefused(String sentence) {
        assertThatThrownBy(() -> KerberosLogin.ifRequired(configuration))
                .isInstanceOfSatisfying(
                        EngineException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(EngineException.Kind.UNAVAILABLE))
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hadoop.security.authentication", "hbase.security.authentication"})
    void a_keytab_that_is_not_there_is_refused_whoever_asks_for_kerberos(String asking) {
        Path keytab = folder.resolve("missing.keytab");
        configuration.set(asking, "kerberos");
        configuration.set("hbase.client.keytab.file", keytab.toString());
        configuration.set("hbase.client.keytab.principal", "trestle");
        assertRefused("The keytab " + keytab + ", named by hbase-site.xml, cannot be read by this user.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hbase.client.keytab.file", "hbase.client.keytab.principal"})
    void one_setting_without_the_other_is_refused(String alone) {
        configuration.set("hbase.security.authentication", "kerberos");
        configuration.set(alone, "something");
        assertRefused("The settings hbase.client.keytab.file and hbase.client.keytab.principal belong together, and"
                + " hbase-site.xml has only one.");
    }

    @Test
    void nothing_is_looked_at_where_nobody_asks_for_kerberos() {
        configuration.set("hbase.security.authentication", "simple");
        configuration.set(
                "hbase.client.keytab.file", folder.resolve("missing.keytab").toString());
        assertThatCode(() -> KerberosLogin.ifRequired(configuration)).doesNotThrowAnyException();
    }
}
