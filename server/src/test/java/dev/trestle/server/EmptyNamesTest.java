package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Empty names in a path never address the parent resource. */
class EmptyNamesTest {
    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        server.owner(Service.BLOB, "PUT", "/files/kept", "kept", "x-ms-blob-type: BlockBlob");
        server.owner(Service.QUEUE, "PUT", "/jobs", "");
        server.owner(
                Service.QUEUE,
                "POST",
                "/jobs/messages",
                "<QueueMessage><MessageText>kept</MessageText></QueueMessage>");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /files/",
        "HEAD, /files/",
        "PUT, /files/",
        "PUT, /other/",
        "DELETE, /files/",
        "GET, /files/?comp=list",
        "PUT, /files/?comp=metadata",
        "PUT, /files/?comp=lease",
        "PUT, /files/?comp=block&blockid=MQ==",
        "DELETE, /files/kept?restype=container",
        "DELETE, //kept"
    })
    void a_blob_path_without_a_blob_name_is_refused(String method, String path) throws IOException {
        Answer answer = server.owner(Service.BLOB, method, path, "", "x-ms-blob-type: BlockBlob");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.head()).contains("x-ms-error-code: InvalidUri");
        assertThat(server.owner(Service.BLOB, "GET", "/files/kept", "").body()).isEqualTo("kept");
        assertThat(server.owner(Service.BLOB, "GET", "/other?restype=container", "")
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"DELETE, /files/kept?restype=service", "DELETE, /files?restype=other", "PUT, /files/?restype=share"})
    void a_kind_of_resource_that_the_path_is_not_is_refused(String method, String path) throws IOException {
        Answer answer = server.owner(Service.BLOB, method, path, "", "x-ms-blob-type: BlockBlob");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("InvalidQueryParameterValue", "restype");
        assertThat(server.owner(Service.BLOB, "GET", "/files/kept", "").body()).isEqualTo("kept");
    }

    @Test
    void a_container_is_addressed_with_and_without_a_slash_behind_it() throws IOException {
        assertThat(server.owner(Service.BLOB, "GET", "/files?restype=container", "")
                        .status())
                .isEqualTo(200);
        assertThat(server.owner(Service.BLOB, "GET", "/files/?restype=container", "")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void deleting_a_message_with_an_empty_id_leaves_all_messages_alone() throws IOException {
        for (String path : new String[] {"/jobs/messages/", "/jobs/messages/?popreceipt=AgAAAAMAAAAAAAAA"}) {
            Answer answer = server.owner(Service.QUEUE, "DELETE", path, "");
            assertThat(answer.status()).isBetween(400, 404);
            assertThat(server.owner(Service.QUEUE, "GET", "/jobs/messages?peekonly=true", "")
                            .body())
                    .contains("<MessageText>kept</MessageText>");
        }
    }

    @Test
    void a_backslash_in_a_path_is_a_slash_of_the_name() throws IOException {
        Answer made = server.owner(Service.BLOB, "PUT", "/files/a%5Cb", "bytes", "x-ms-blob-type: BlockBlob");
        assertThat(made.status()).isEqualTo(201);
        assertThat(server.owner(Service.BLOB, "GET", "/files/a/b", "").body()).isEqualTo("bytes");
        assertThat(server.owner(Service.BLOB, "GET", "/files/a%5cb", "").body()).isEqualTo("bytes");
        assertThat(server.owner(Service.BLOB, "GET", "/files?restype=container&comp=list", "")
                        .body())
                .contains("<Name>a/b</Name>");
    }
}
