package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code az storage queue} and {@code az storage message}. */
class AzureCliQueuesIT {
    @TempDir
    private Path folder;

    private Server server;
    private AzureCli az;

    @BeforeEach
    void start() {
        server = Server.start("azure-cli-queues");
        az = AzureCli.of(server, folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void queues_are_made_listed_described_and_deleted() {
        assertThat(az.run("queue create -n jobs --metadata owner=ines")).isEqualTo("True");
        assertThat(az.run("queue create -n jobs --metadata owner=ines")).isEqualTo("False");
        az.run("queue create -n others");
        assertThat(az.lines("queue list --query [].name")).containsExactly("jobs", "others");
        assertThat(az.lines("queue list --prefix jo --query [].name")).containsExactly("jobs");
        az.run("queue metadata update -n jobs --metadata owner=otto");
        assertThat(az.run("queue metadata show -n jobs --query owner")).isEqualTo("otto");
        az.run("queue policy create -q jobs -n workers --permissions rp --expiry 2099-01-01T00:00Z");
        assertThat(az.run("queue policy show -q jobs -n workers --query permission"))
                .isEqualTo("rp");
        assertThat(az.run("queue exists -n jobs")).isEqualTo("True");
        assertThat(az.run("queue delete -n jobs")).isEqualTo("True");
        assertThat(az.run("queue exists -n jobs")).isEqualTo("False");
    }

    @Test
    void messages_are_put_taken_changed_and_deleted() {
        az.run("queue create -n jobs");
        for (String text : new String[] {"first", "second & <third>", "grün 水 🚀"}) {
            az.run("message put -q jobs --content", text);
        }
        assertThat(az.lines("message peek -q jobs --num-messages 32 --query [].content"))
                .containsExactly("first", "second & <third>", "grün 水 🚀");
        String[] taken = az.run("message get -q jobs --visibility-timeout 60 --query [].[id,popReceipt,content]")
                .split("\t", -1);
        assertThat(taken[2]).isEqualTo("first");
        assertThat(az.lines("message peek -q jobs --num-messages 32 --query [].content"))
                .containsExactly("second & <third>", "grün 水 🚀");
        String receipt = az.run("message update -q jobs --id " + taken[0] + " --pop-receipt " + taken[1]
                + " --visibility-timeout 0 --content changed --query popReceipt");
        assertThat(az.lines("message peek -q jobs --num-messages 32 --query [].content"))
                .contains("changed");
        az.run("message delete -q jobs --id " + taken[0] + " --pop-receipt " + receipt);
        assertThat(az.lines("message peek -q jobs --num-messages 32 --query [].content"))
                .containsExactly("second & <third>", "grün 水 🚀");
        az.run("message clear -q jobs");
        assertThat(az.run("message peek -q jobs")).isEmpty();
    }

    @Test
    void a_signature_lets_others_put_messages_but_not_take_them() {
        az.run("queue create -n jobs");
        String access = " --queue-endpoint " + server.queueEndpoint(Server.ACCOUNT) + " --sas-token "
                + az.run("queue generate-sas -n jobs --permissions a --expiry 2099-01-01T00:00Z");
        AzureCli guest = AzureCli.withoutCredentials(folder);
        guest.run("message put -q jobs --content hello" + access);
        assertThat(guest.fails("message get -q jobs" + access)).contains(AzureCli.NOT_PERMITTED);
        assertThat(az.run("message get -q jobs --query [].content")).isEqualTo("hello");
    }
}
