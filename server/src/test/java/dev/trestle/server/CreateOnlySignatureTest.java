package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.auth.Sas;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A SAS with the create permission only. */
class CreateOnlySignatureTest {
    private static final String COMMIT = "<BlockList><Latest>MQ==</Latest></BlockList>";
    private static final String BLOCK = "comp=block&blockid=MQ==";
    private static final String LIST = "comp=blocklist";

    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        server.owner(Service.BLOB, "PUT", "/files/there", "kept", "x-ms-blob-type: BlockBlob");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer put(String blob, String parameters, String body, Sas sas) throws IOException {
        return server.ask(
                Service.BLOB, "PUT", "/devstoreaccount1/files/" + blob + "?" + parameters + "&" + sas.query(), body);
    }

    private static List<Sas> creators(String blob) {
        return List.of(
                Sas.ofBlob("files/" + blob).with("sp", "c"),
                Sas.ofContainer("files").with("sp", "rc"),
                Sas.account().with("ss", "b").with("sp", "c"));
    }

    @Test
    void a_new_blob_may_be_made_of_blocks() throws IOException {
        int number = 0;
        for (Sas sas : creators("new0")) {
            String blob = "new" + (number == 0 ? "0" : number);
            number++;
            assertThat(put(blob, BLOCK, "block", sas).status()).isEqualTo(201);
            assertThat(put(blob, LIST, COMMIT, sas).status()).isEqualTo(201);
            assertThat(server.owner(Service.BLOB, "GET", "/files/" + blob, "").body())
                    .isEqualTo("block");
        }
    }

    @Test
    void a_blob_that_is_there_is_neither_replaced_nor_given_blocks() throws IOException {
        server.owner(Service.BLOB, "PUT", "/files/there?comp=block&blockid=MQ==", "other");
        for (Sas sas : creators("there")) {
            for (Answer answer : List.of(put("there", BLOCK, "mine", sas), put("there", LIST, COMMIT, sas))) {
                assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
                assertThat(answer.body()).contains("UnauthorizedBlobOverwrite");
            }
        }
        assertThat(server.owner(Service.BLOB, "GET", "/files/there", "").body()).isEqualTo("kept");
    }

    @Test
    void nothing_else_is_opened() throws IOException {
        for (String parameters : List.of("comp=metadata", "comp=properties", "comp=tier", "comp=appendblock")) {
            Answer answer = put("there", parameters, "", creators("there").get(0));
            assertThat(answer.body()).as(answer.toString()).contains("AuthorizationPermissionMismatch");
        }
    }
}
