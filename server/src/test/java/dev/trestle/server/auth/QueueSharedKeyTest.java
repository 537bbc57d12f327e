package dev.trestle.server.auth;

import static dev.trestle.server.auth.Requests.DATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The account key on the Queue service, and by the same rules on the Blob service. */
class QueueSharedKeyTest {
    private static final String VERSION = "2026-06-06";
    private static final String JOBS = "/devstoreaccount1/jobs";
    private static final String RESOURCE = "/devstoreaccount1/devstoreaccount1/jobs";

    /** A GET with none of the standard headers. */
    private static final String GET = "GET" + "\n".repeat(12);

    private static final String DATE_LINE = "x-ms-date:" + DATE + "\n";
    private static final String VERSION_LINE = "x-ms-version:" + VERSION + "\n";
    private static final String HEADERS = DATE_LINE + VERSION_LINE;

    private final Judge judge = new Judge();
    private final Judge acct1 = new Judge(Requests.VECTOR_ACCOUNTS, false).at("2026-07-31T18:00:00Z");

    @Test
    void the_vector_of_a_creation_is_accepted() {
        assertThat(acct1.grant(vector("/acct1/jobs")
                        .method("PUT")
                        .header("Content-Length", "0")
                        .header("Authorization", "SharedKey acct1:0V0BdXImEQ84xwBrfwl4eR9WUO7s1AL88SedBbGIRzY=")))
                .isEqualTo(new OwnerGrant());
    }

    @Test
    void the_vector_of_a_message_is_accepted() {
        assertThat(acct1.grant(vector("/jobs/messages")
                        .method("POST")
                        .query("visibilitytimeout=30&messagettl=-1")
                        .header("Content-Length", "64")
                        .header("Content-Type", "application/xml")
                        .header("Authorization", "SharedKey acct1:GTaBCX9eOSKelaZ4TnQyJbhvt4pvkowJcwE/H67WzL4=")))
                .isEqualTo(new OwnerGrant());
    }

    @Test
    void the_vector_of_the_lite_form_is_accepted() {
        assertThat(acct1.grant(vector("/jobs")
                        .query("comp=metadata")
                        .header("Authorization", "SharedKeyLite acct1:gKWNCWYVVLwa6DChkkHqRkgzsyJT0qoBTuoyeAmg7tM=")))
                .isEqualTo(new OwnerGrant());
    }

    private static Requests vector(String path) {
        return Requests.to(path)
                .service(Service.QUEUE)
                .account("acct1")
                .header("x-ms-date", "Fri, 31 Jul 2026 18:00:00 GMT")
                .header("x-ms-version", VERSION);
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUE", "BLOB"})
    void every_standard_header_has_its_line(Service service) {
        assertOwner(get().service(service)
                .method("PUT")
                .header("Content-Encoding", "gzip")
                .header("Content-Language", "gzip")
                .header("Content-Length", "7")
                .header("Content-MD5", "md5")
                .header("Content-Type", "text/plain")
                .header("If-Modified-Since", "then")
                .header("If-Match", "\"m\"")
                .header("If-None-Match", "*")
                .header("If-Unmodified-Since", "now")
                .header("Range", "bytes=0-1")
                .header("x-ms-range", "bytes=2-3")
                .sharedKey("PUT\ngzip\ngzip\n7\nmd5\ntext/plain\n\nthen\n\"m\"\n*\nnow\nbytes=0-1\n" + DATE_LINE
                        + "x-ms-range:bytes=2-3\n" + VERSION_LINE + RESOURCE));
    }

    @Test
    void the_lite_form_signs_of_the_standard_headers_only_the_body_and_the_date() {
        assertOwner(get().header("Content-Type", "text/plain")
                .header("Content-MD5", "md5")
                .header("Content-Length", "7")
                .header("Range", "bytes=0-1")
                .query("timeout=30&comp=acl")
                .sharedKeyLite("GET\nmd5\ntext/plain\n\n" + HEADERS + RESOURCE + "?comp=acl"));
    }

    @Test
    void without_an_own_date_header_the_standard_one_has_its_line() {
        Requests request =
                Requests.to(JOBS).service(Service.QUEUE).header("Date", DATE).header("x-ms-version", VERSION);

        assertOwner(request.sharedKey("GET\n\n\n\n\n\n" + DATE + "\n\n\n\n\n\n" + VERSION_LINE + RESOURCE));
        assertOwner(request.sharedKeyLite("GET\n\n\n" + DATE + "\n" + VERSION_LINE + RESOURCE));
    }

    @Test
    void beside_an_own_date_header_the_standard_one_is_not_signed_and_does_not_count() {
        Requests request = get().header("Date", "Mon, 02 Mar 2020 10:00:00 GMT");

        assertOwner(request.sharedKey(GET + HEADERS + RESOURCE));
    }

    @Test
    void a_request_without_a_date_is_refused() {
        assertRefused(Requests.to(JOBS)
                .service(Service.QUEUE)
                .header("x-ms-version", VERSION)
                .sharedKey(GET + VERSION_LINE + RESOURCE));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-02T10:15:00Z, true",
        "2026-03-02T10:15:00.001Z, false",
        "2026-03-02T09:45:00Z, true",
        "2026-03-02T09:44:59.999Z, false",
    })
    void a_date_may_be_fifteen_minutes_off_either_way(String now, boolean accepted) {
        judge.at(now);
        Requests request = get().sharedKey(GET + HEADERS + RESOURCE);
        if (accepted) {
            assertOwner(request);
        } else {
            assertRefused(request);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2014-02-14, 0, 0",
        "2015-02-21, 0, ''",
        "2026-06-06, 0, ''",
        "2014-02-14, 10, 10",
        "2026-06-06, 10, 10",
        "2014-02-14, '', ''",
    })
    void a_length_of_zero_is_signed_as_nothing_in_recent_versions(String version, String length, String signed) {
        Requests request = get().method("PUT").header("x-ms-version", version);
        if (!length.isEmpty()) {
            request.header("Content-Length", length);
        }

        assertOwner(request.sharedKey(
                "PUT\n\n\n" + signed + "\n".repeat(9) + DATE_LINE + "x-ms-version:" + version + "\n" + RESOURCE));
    }

    @Test
    void language_and_encoding_may_be_signed_in_either_order() {
        for (String signed : List.of("gzip\nde", "de\ngzip")) {
            assertOwner(get().header("Content-Encoding", "gzip")
                    .header("Content-Language", "de")
                    .sharedKey("GET\n" + signed + "\n".repeat(10) + HEADERS + RESOURCE));
        }
        assertOwner(
                get().header("Content-Language", "de").sharedKey("GET\n\nde" + "\n".repeat(10) + HEADERS + RESOURCE));
        assertOwner(
                get().header("Content-Language", "de").sharedKey("GET\nde\n" + "\n".repeat(10) + HEADERS + RESOURCE));
    }

    @Test
    void own_headers_may_be_sorted_by_culture_or_by_code() {
        Requests request = get().header("x-ms-meta-a_b", "1").header("x-ms-meta-a1", "2");

        assertOwner(request.sharedKey(GET + DATE_LINE + "x-ms-meta-a_b:1\nx-ms-meta-a1:2\n" + VERSION_LINE + RESOURCE));
        assertOwner(request.sharedKey(GET + DATE_LINE + "x-ms-meta-a1:2\nx-ms-meta-a_b:1\n" + VERSION_LINE + RESOURCE));
        assertRefused(request.sharedKey(GET + "x-ms-meta-a1:2\nx-ms-meta-a_b:1\n" + HEADERS + RESOURCE));
    }

    @Test
    void hyphens_in_own_headers_may_count_last_or_first() {
        Requests request = get().header("x-ms-meta-a-z", "1").header("x-ms-meta-ab", "2");

        assertOwner(request.sharedKey(GET + DATE_LINE + "x-ms-meta-ab:2\nx-ms-meta-a-z:1\n" + VERSION_LINE + RESOURCE));
        assertOwner(request.sharedKey(GET + DATE_LINE + "x-ms-meta-a-z:1\nx-ms-meta-ab:2\n" + VERSION_LINE + RESOURCE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b c", "a  b \t c"})
    void white_space_within_a_value_may_be_signed_as_one_blank_or_as_sent(String signed) {
        assertOwner(get().header("x-ms-meta-m", " a  b \t c ")
                .sharedKey(GET + DATE_LINE + "x-ms-meta-m:" + signed + "\n" + VERSION_LINE + RESOURCE));
    }

    @Test
    void white_space_between_quotation_marks_is_kept() {
        Requests request = get().header("x-ms-meta-m", "a  \"b  c\"  d");

        assertOwner(request.sharedKey(GET + DATE_LINE + "x-ms-meta-m:a \"b  c\" d\n" + VERSION_LINE + RESOURCE));
        assertRefused(request.sharedKey(GET + DATE_LINE + "x-ms-meta-m:a \"b c\" d\n" + VERSION_LINE + RESOURCE));
    }

    @ParameterizedTest
    @CsvSource({"2016-05-31, true", "2026-06-06, true", "2015-12-11, false"})
    void an_own_header_without_a_value_is_signed_in_recent_versions(String version, boolean signed) {
        assertOwner(get().header("x-ms-meta-m", "")
                .header("x-ms-version", version)
                .sharedKey(GET + DATE_LINE + (signed ? "x-ms-meta-m:\n" : "") + "x-ms-version:" + version + "\n"
                        + RESOURCE));
    }

    @Test
    void an_own_header_that_is_there_twice_is_400_InvalidHeaderValue() {
        Requests request = get().header("x-ms-meta-m", "1").repeated("X-MS-Meta-M", "1");

        assertThat(judge.error(request.sharedKey(GET + DATE_LINE + "x-ms-meta-m:1\n" + VERSION_LINE + RESOURCE)))
                .isEqualTo(StorageError.INVALID_HEADER_VALUE);
    }

    @Test
    void other_headers_may_be_there_twice() {
        assertOwner(get().header("Accept", "a").repeated("Accept", "b").sharedKey(GET + HEADERS + RESOURCE));
    }

    @Test
    void parameters_are_decoded_and_sorted_by_their_names_in_lower_case() {
        assertOwner(get().query("timeout=30&Comp=li%73t&%24x=%C3%A9&empty=&flag")
                .sharedKey(GET + HEADERS + RESOURCE + "\n$x:é\ncomp:list\nempty:\nflag:\ntimeout:30"));
    }

    @Test
    void a_plus_sign_in_a_parameter_is_signed_as_a_blank() {
        assertOwner(get().query("prefix=a+b%2Bc").sharedKey(GET + HEADERS + RESOURCE + "\nprefix:a b+c"));
    }

    @Test
    void parameters_of_one_name_are_sorted_and_joined_by_commas() {
        assertOwner(get().query("b=2&x=1&B=1&b=10").sharedKey(GET + HEADERS + RESOURCE + "\nb:1,10,2\nx:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"snapshots,metadata,copy", "copy,metadata,snapshots"})
    void commas_within_a_parameter_may_be_signed_as_sent_or_sorted(String signed) {
        assertOwner(get().query("include=snapshots,metadata%2Ccopy")
                .sharedKey(GET + HEADERS + RESOURCE + "\ninclude:" + signed));
        assertRefused(get().query("include=snapshots,metadata%2Ccopy")
                .sharedKey(GET + HEADERS + RESOURCE + "\ninclude:metadata,copy,snapshots"));
    }

    @Test
    void the_path_is_signed_as_it_was_sent() {
        assertOwner(get().path("/devstoreaccount1/jobs/messages/a%2fb%20c")
                .sharedKey(GET + HEADERS + RESOURCE + "/messages/a%2fb%20c"));
        assertOwner(get().path("").sharedKey(GET + HEADERS + "/devstoreaccount1/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/devstoreaccount1/jobs", "/devstoreaccount1-secondary/jobs"})
    void on_the_secondary_the_path_may_be_signed_with_the_suffix_or_without(String signedPath) {
        Requests request = get().path("/devstoreaccount1-secondary/jobs").query("comp=metadata");

        assertOwner(request.sharedKey(GET + HEADERS + "/devstoreaccount1" + signedPath + "\ncomp:metadata"));
        assertOwner(
                request.sharedKeyLite("GET\n\n\n\n" + HEADERS + "/devstoreaccount1" + signedPath + "?comp=metadata"));
    }

    @Test
    void a_queue_that_is_called_like_the_secondary_is_not_taken_for_it() {
        Requests request = get().path("/devstoreaccount1-secondary/messages").hostStyle();

        assertOwner(request.sharedKey(GET + HEADERS + "/devstoreaccount1/devstoreaccount1-secondary/messages"));
        assertRefused(request.sharedKey(GET + HEADERS + "/devstoreaccount1/devstoreaccount1/messages"));
    }

    @Test
    void all_that_clients_disagree_about_may_come_together() {
        assertOwner(get().path("/devstoreaccount1-secondary/jobs")
                .query("include=b,a")
                .header("Content-Language", "de")
                .header("x-ms-meta-a_b", "1  2")
                .header("x-ms-meta-a1", "2")
                .sharedKey("GET\nde" + "\n".repeat(11) + DATE_LINE + "x-ms-meta-a1:2\nx-ms-meta-a_b:1  2\n"
                        + VERSION_LINE + "/devstoreaccount1/devstoreaccount1-secondary/jobs\ninclude:a,b"));
    }

    @Test
    void for_an_ordinary_request_there_is_just_one_text_to_try() {
        Judge explaining = new Judge(Accounts.DEVELOPMENT, true);

        assertThat(explaining
                        .refusal(get().query("comp=metadata")
                                .header("x-ms-client-request-id", "5f1a")
                                .header("Authorization", "SharedKey devstoreaccount1:AAAA"))
                        .text())
                .endsWith("the server signed \"GET" + "\\n".repeat(12) + "x-ms-client-request-id:5f1a\\nx-ms-date:"
                        + DATE + "\\nx-ms-version:" + VERSION + "\\n" + RESOURCE + "\\ncomp:metadata\".");
    }

    @Test
    void the_order_and_case_of_headers_and_parameters_do_not_matter() {
        List<Map.Entry<String, String>> headers = new ArrayList<>(List.of(
                Map.entry("x-ms-date", DATE),
                Map.entry("x-ms-version", VERSION),
                Map.entry("x-ms-client-request-id", "5f1a"),
                Map.entry("x-ms-meta-b", "2"),
                Map.entry("x-ms-meta-a", "1"),
                Map.entry("Accept", "application/xml")));
        List<String> parameters = new ArrayList<>(List.of("comp=metadata", "timeout=30", "_=1"));
        String text = GET + "x-ms-client-request-id:5f1a\n" + DATE_LINE + "x-ms-meta-a:1\nx-ms-meta-b:2\n"
                + VERSION_LINE + RESOURCE + "\n_:1\ncomp:metadata\ntimeout:30";
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            Collections.shuffle(headers, random);
            Collections.shuffle(parameters, random);
            Requests request = Requests.to(JOBS)
                    .service(Service.QUEUE)
                    .query(String.join("&", parameters))
                    .sharedKey(text);
            for (Map.Entry<String, String> header : headers) {
                String name = header.getKey();
                request.header(
                        random.nextBoolean() ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT),
                        header.getValue());
            }
            assertOwner(request);
        }
    }

    @Test
    void everything_that_is_signed_is_bound() {
        List<UnaryOperator<Requests>> changes = new ArrayList<>(List.of(
                request -> request.method("PUT"),
                request -> request.path("/devstoreaccount1/other"),
                request -> request.path("/devstoreaccount1/jobs/"),
                request -> request.query("comp=metadata"),
                request -> request.query("comp=acl&timeout=1"),
                request -> request.query(""),
                request -> request.header("x-ms-meta-new", "1"),
                request -> request.header("x-ms-version", "2026-06-07"),
                request -> request.header("x-ms-date", "Mon, 02 Mar 2026 10:00:01 GMT")));
        for (String name : List.of(
                "Content-Encoding",
                "Content-Language",
                "Content-Length",
                "Content-MD5",
                "Content-Type",
                "If-Modified-Since",
                "If-Match",
                "If-None-Match",
                "If-Unmodified-Since",
                "Range")) {
            changes.add(request -> request.header(name, "1"));
        }
        for (UnaryOperator<Requests> change : changes) {
            Requests request = get().query("comp=acl").sharedKey(GET + HEADERS + RESOURCE + "\ncomp:acl");
            assertOwner(request);
            assertRefused(change.apply(request));
        }
    }

    @Test
    void the_form_of_the_table_service_is_refused() {
        assertRefused(get().sharedKey("GET\n\n\n" + DATE + "\n" + RESOURCE));
        assertRefused(get().sharedKeyLite(DATE + "\n" + RESOURCE));
    }

    @ParameterizedTest
    @CsvSource({
        "2019-12-12, NO_AUTHENTICATION_INFORMATION, INVALID_BEARER_TOKEN",
        "2019-07-07, AUTHENTICATION_FAILED, AUTHENTICATION_FAILED",
    })
    void without_known_credentials_the_version_decides_between_401_and_403(
            String version, StorageError withNone, StorageError withBearer) {
        Requests request = get().header("x-ms-version", version);

        assertThat(judge.error(request)).isEqualTo(withNone);
        assertThat(judge.error(request.header("Authorization", "Bearer e30.e30.e30")))
                .isEqualTo(withBearer);
    }

    private static Requests get() {
        return Requests.to(JOBS)
                .service(Service.QUEUE)
                .header("x-ms-date", DATE)
                .header("x-ms-version", VERSION);
    }

    private void assertOwner(Requests request) {
        assertThat(judge.grant(request)).isEqualTo(new OwnerGrant());
    }

    private void assertRefused(Requests request) {
        assertThat(judge.error(request)).isEqualTo(StorageError.AUTHENTICATION_FAILED);
    }
}
