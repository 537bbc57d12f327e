package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Front ends of a cluster that requires Kerberos authentication. */
class KerberosIT {
    @TempDir
    private static Path folder;

    private static SecuredCluster cluster;
    private static Path keytab;

    @BeforeAll
    static void start() throws Exception {
        cluster = new SecuredCluster(folder);
        keytab = cluster.keytab("trestle", "trestle");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Map<String, String> login(Path keytab, String principal) {
        return Map.of(SecuredCluster.KEYTAB, keytab.toString(), SecuredCluster.PRINCIPAL, principal);
    }

    private static void assertServes(String said, String principal) {
        assertThat(said)
                .contains(
                        "user: " + principal + "@" + cluster.realm(),
                        "committed: Committed",
                        "read: true",
                        "scanned: 1",
                        "content: words");
    }

    @Test
    void a_front_end_with_a_keytab_stores_rows_and_contents() throws Exception {
        assertServes(cluster.run(cluster.settings(login(keytab, "trestle"))), "trestle");
    }

    @Test
    void a_front_end_with_a_ticket_of_its_user_stores_rows_and_contents() throws Exception {
        Path tickets = cluster.tickets("trestle", keytab);
        assertServes(cluster.run(cluster.settings(Map.of()), Map.of("KRB5CCNAME", tickets.toString())), "trestle");
    }

    @Test
    void without_keytab_and_ticket_it_says_what_it_takes() throws Exception {
        assertThat(cluster.run(cluster.settings(Map.of())))
                .isEqualToIgnoringNewLines("refused: The cluster asks for Kerberos, and there is no ticket: set"
                        + " hbase.client.keytab.file and hbase.client.keytab.principal in hbase-site.xml, or run kinit"
                        + " before the start.");
    }

    @Test
    void a_user_who_is_known_and_not_allowed_is_refused_with_a_sentence() throws Exception {
        Path guest = cluster.keytab("guest", "guest");
        assertThat(cluster.run(cluster.settings(login(guest, "guest"))))
                .startsWith("refused: The HBase cluster cannot be used:"
                        + " org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions for user"
                        + " 'guest' (")
                .hasLineCount(1);
    }

    @Test
    void a_keytab_of_somebody_else_is_refused_with_a_sentence() throws Exception {
        assertThat(cluster.run(cluster.settings(login(keytab, "stranger"))))
                .startsWith("refused: Kerberos does not let in stranger with the keytab " + keytab + " (")
                .endsWith("): correct hbase.client.keytab.file and hbase.client.keytab.principal in hbase-site.xml, or"
                        + " the kdc in krb5.conf.\n");
    }

    @Test
    void a_machine_that_knows_no_realm_is_told_where_one_is_looked_for() throws Exception {
        assertThat(cluster.run(cluster.settings(login(keytab, "trestle")), Map.of(), folder.resolve("no-krb5.conf")))
                .isEqualToIgnoringNewLines("refused: The cluster asks for Kerberos, and the realm is not known here: it"
                        + " takes an /etc/krb5.conf with a default_realm, or"
                        + " TRESTLE_JAVA_OPTS=-Djava.security.krb5.conf=FILE.");
    }
}
