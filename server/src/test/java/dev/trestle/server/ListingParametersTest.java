package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of listings: {@code include}, {@code marker} and others. */
class ListingParametersTest {
    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer queues(String parameter) throws IOException {
        return server.owner(Service.QUEUE, "GET", "/?comp=list&" + parameter, "");
    }

    private static Answer containers(String parameter) throws IOException {
        return server.owner(Service.BLOB, "GET", "/?comp=list&" + parameter, "");
    }

    private static Answer blobs(String parameter) throws IOException {
        return server.owner(Service.BLOB, "GET", "/files?restype=container&comp=list&" + parameter, "");
    }

    private static void assertInvalid(Answer answer, String reason) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("InvalidQueryParameterValue", "<Reason>" + reason + "</Reason>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"include=", "include=metadata", "include=MetaData", "marker="})
    void what_all_can_tell_is_told(String parameter) throws IOException {
        assertThat(queues(parameter).status()).isEqualTo(200);
        assertThat(containers(parameter).status()).isEqualTo(200);
        assertThat(blobs(parameter).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"include=metadata,deleted", "include=metadata,,metadata", "include=,"})
    void containers_and_blobs_take_a_list_and_queues_one_word(String parameter) throws IOException {
        assertInvalid(queues(parameter), "Only metadata can be included.");
        assertThat(containers(parameter).status()).isEqualTo(200);
        assertThat(blobs(parameter).status()).isEqualTo(200);
    }

    @Test
    void what_is_not_known_is_refused_with_what_is() throws IOException {
        assertInvalid(queues("include=other"), "Only metadata can be included.");
        assertInvalid(containers("include=metadata,snapshots"), "Only these can be included: deleted metadata system");
        assertInvalid(
                blobs("include=system"),
                "Only these can be included: copy deleted deletedwithversions immutabilitypolicy legalhold metadata"
                        + " permissions snapshots tags uncommittedblobs versions");
    }

    @Test
    void a_marker_that_no_listing_gave_is_refused() throws IOException {
        assertThat(queues("marker=other").toString()).contains(" 400 ", "InvalidMarker");
        assertInvalid(containers("marker=other"), "It has to be one that a listing gave.");
        assertInvalid(blobs("marker=other"), "It has to be one that a listing gave.");
    }

    @Test
    void a_response_repeats_what_was_asked_for_and_nothing_else() throws IOException {
        for (Answer answer : List.of(queues(""), containers(""), blobs(""))) {
            assertThat(answer.body()).doesNotContain("<Prefix", "<Marker", "<MaxResults", "<Delimiter");
        }
        for (Answer answer : List.of(queues("prefix=f"), containers("prefix=f"), blobs("prefix=f"))) {
            assertThat(answer.body()).contains("<Prefix>f</Prefix>").doesNotContain("<Marker", "<MaxResults", "<Delim");
        }
        for (Answer answer : List.of(queues("maxresults=7"), containers("maxresults=7"), blobs("maxresults=7"))) {
            assertThat(answer.body())
                    .contains("<MaxResults>7</MaxResults>")
                    .doesNotContain("<Prefix", "<Marker", "<Delimiter");
        }
        assertThat(blobs("delimiter=/").body())
                .contains("<Delimiter>/</Delimiter>")
                .doesNotContain("<Prefix", "<Marker", "<MaxResults");
    }
}
