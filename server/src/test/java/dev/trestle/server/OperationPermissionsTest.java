package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.PublicAccess;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.OperationExamples.Example;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.auth.Requests;
import dev.trestle.server.auth.Sas;
import dev.trestle.server.auth.Tokens;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Operation.ConditionalPermission;
import dev.trestle.server.pipeline.Operations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For every operation and every kind of credential: exactly the declared permission opens it, and everything but that
 * permission does not.
 */
class OperationPermissionsTest {
    private static final String VERSION = "x-ms-version: 2024-11-04";
    private static final String SNAPSHOT = "2026-03-02T09:00:00.0000000Z";

    private static GuardedServer server;
    private static int resources;

    /** The resource of the request in progress, and a name that is not taken. */
    private String resource = "";

    private String fresh = "";

    private PublicAccess access = PublicAccess.NONE;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path keys = Files.writeString(folder.resolve("keys.json"), Tokens.keySet());
        server = GuardedServer.withBearer(new BearerConfig(keys, Tokens.ISSUER, Tokens.AUDIENCE));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Example> examples() {
        return OperationExamples.ALL.stream();
    }

    static Stream<Example> blobExamples() {
        return examples().filter(Example::isOnBlob);
    }

    private static Permission tagsOf(String operation) {
        return Operations.of(Service.BLOB, operation).permission();
    }

    @Test
    void every_operation_has_an_example() {
        Set<Operation<?, ?>> shown =
                OperationExamples.ALL.stream().map(Example::declared).collect(Collectors.toSet());
        for (Service service : Service.values()) {
            assertThat(shown).containsAll(Operations.of(service));
        }
    }

    @Test
    void every_example_is_a_request_for_its_operation() throws IOException {
        for (Example example : OperationExamples.ALL) {
            send(example, request -> request.signed(Sas.account().with("ss", "btq")));
        }
        String metrics = server.metrics();
        assertThat(OperationExamples.ALL)
                .allSatisfy(example -> assertThat(metrics)
                        .containsPattern("trestle_requests_total\\{[^}]*operation=\"" + example.operation()
                                + "\",[^}]*service=\"" + example.service().word() + "\"[^}]*\\} [1-9]"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void an_account_key_opens_it_unless_it_is_for_named_bearers(Example example) throws IOException {
        assertThat(isRefused(send(example, OperationPermissionsTest::signedWithKey)))
                .isEqualTo(example.permission().namedBearersOnly());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void a_bearer_token_opens_it_if_it_names_its_bearer_where_needed(Example example) throws IOException {
        assertAllowed(example, request -> request.plus("Authorization: Bearer " + Tokens.good(), VERSION));
        String nameless = Tokens.token("\"sub\":\"somebody\"");
        assertThat(isRefused(send(example, request -> request.plus("Authorization: Bearer " + nameless, VERSION))))
                .isEqualTo(example.permission().namedBearersOnly());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void an_account_sas_opens_it_with_its_resource_type_and_its_letters(Example example) throws IOException {
        Permission permission = example.permission();
        String type = String.valueOf(permission.resourceType());
        String everything = all(example.service());
        if (permission.isClosedToSas()) {
            assertRefused(example, accountSas("sco", everything));
            return;
        }
        for (String letters : permission.letters()) {
            assertAllowed(example, accountSas(type, letters.isEmpty() ? "r" : letters));
        }
        if (!permission.isOpenToAnySas()) {
            assertRefused(example, accountSas("sco".replace(type, ""), everything));
            for (String others : without(permission, everything)) {
                assertRefused(example, accountSas(type, others));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void a_sas_over_its_resource_opens_it_with_its_letters(Example example) throws IOException {
        assertLettersDecide(
                example,
                isInResourceSas(example),
                letters -> resourceSas(example).with("sp", letters));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void a_stored_policy_opens_it_with_its_letters(Example example) throws IOException {
        assertLettersDecide(example, isInResourceSas(example), letters -> {
            putPolicy(example.service(), letters);
            return resourceSas(example).without("sp").without("se").with("si", "policy");
        });
    }

    @ParameterizedTest
    @MethodSource("blobExamples")
    void a_sas_over_a_blob_opens_what_is_done_to_the_blob(Example example) throws IOException {
        assertLettersDecide(
                example,
                isInResourceSas(example),
                letters -> Sas.ofBlob(blob(example)).with("sp", letters));
    }

    @ParameterizedTest
    @MethodSource("blobExamples")
    void a_user_delegation_sas_opens_what_is_done_to_the_blob(Example example) throws IOException {
        assertLettersDecide(
                example,
                isInResourceSas(example),
                letters -> Sas.ofDelegate(blob(example), Tokens.delegationKey()).with("sp", letters));
    }

    @ParameterizedTest
    @MethodSource("blobExamples")
    void a_sas_over_a_snapshot_opens_what_is_done_to_the_snapshot(Example example) throws IOException {
        if (example.permission().inSnapshotSas()) {
            assertLettersDecide(
                    example,
                    true,
                    letters -> Sas.ofSnapshot(blob(example), SNAPSHOT).with("sp", letters));
        } else {
            Answer answer = send(
                    example,
                    request -> request.signed(
                            Sas.ofSnapshot(blob(example), SNAPSHOT).with("sp", all(example.service()))));
            assertThat(answer.status()).as(example + ": " + answer).isBetween(400, 403);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void nobody_opens_it_without_public_access(Example example) throws IOException {
        PublicAccess needed = example.permission().anonymous();
        for (PublicAccess given : PublicAccess.values()) {
            access = given;
            boolean open = needed != PublicAccess.NONE && given.compareTo(needed) >= 0;
            Answer answer = send(example, request -> request.plus(VERSION));
            assertThat(answer.status() < 300)
                    .as(example + ", " + given + ": " + answer)
                    .isEqualTo(open);
        }
    }

    @ParameterizedTest
    @MethodSource("conditional")
    void a_permission_that_some_requests_need_is_checked_too(Example example, Permission further) throws IOException {
        String own = example.permission().letters().get(0);
        String type = String.valueOf(example.permission().resourceType());
        assertAllowed(example, accountSas(type, own + further.letters().get(0)));
        assertRefused(
                example,
                accountSas(type, without(further, all(example.service()) + own).get(0)));
        assertAllowed(
                example,
                request -> request.signed(
                        resourceSas(example).with("sp", own + further.letters().get(0))));
    }

    static Stream<Arguments> conditional() {
        return examples()
                .flatMap(example -> example.declared().conditionalPermissions().stream()
                        .map(conditional -> Arguments.of(
                                conditional.permission().equals(tagsOf("SetBlobTags"))
                                        ? example.with("x-ms-tags: a=b")
                                        : conditional.permission().equals(tagsOf("GetBlobTags"))
                                                ? example.with("x-ms-if-tags: a='b'")
                                                : example.including("tags"),
                                conditional.permission())));
    }

    private boolean isInResourceSas(Example example) {
        return example.permission().resourceSas().equals(Optional.of(example.service()));
    }

    /** Makes a signature with these letters. */
    private interface Signer {
        Sas sign(String letters) throws IOException;
    }

    /** Asserts that a signature with the letters of the permission opens the operation, if any does, and no other. */
    private void assertLettersDecide(Example example, boolean open, Signer signer) throws IOException {
        Permission permission = example.permission();
        String everything = ofResourceSas(example.service());
        if (!open) {
            assertRefused(example, request -> request.signed(signer.sign(everything)));
            return;
        }
        for (String letters : permission.letters()) {
            assertAllowed(example, request -> request.signed(signer.sign(letters.isEmpty() ? "r" : letters)));
        }
        for (String others : permission.isOpenToAnySas() ? List.<String>of() : without(permission, everything)) {
            assertRefused(example, request -> request.signed(signer.sign(others)));
        }
    }

    private static Credentials accountSas(String type, String letters) {
        return request -> request.signed(Sas.account()
                .with("ss", "btq")
                .with("srt", type)
                .with("sp", letters)
                .with("sv", "2026-06-06"));
    }

    private Sas resourceSas(Example example) {
        return switch (example.service()) {
            case TABLE -> Sas.table(resource);
            case QUEUE -> Sas.ofQueue(resource);
            case BLOB -> Sas.ofContainer(resource);
        };
    }

    private String blob(Example example) {
        return resource + "/"
                + (example.path().startsWith("/NEW") || example.path().contains("/NEW") ? fresh : "b");
    }

    /** All letters that any operation of the service needs. */
    private static String all(Service service) {
        return letters(permissions(service));
    }

    /** Those of them that a SAS over one resource, or a stored policy, can have. */
    private static String ofResourceSas(Service service) {
        return letters(permissions(service)
                .filter(permission -> permission.resourceSas().equals(Optional.of(service))));
    }

    private static Stream<Permission> permissions(Service service) {
        return Operations.of(service).stream()
                .flatMap(operation -> Stream.concat(
                        Stream.of(operation.permission()),
                        operation.conditionalPermissions().stream().map(ConditionalPermission::permission)));
    }

    private static String letters(Stream<Permission> permissions) {
        return permissions
                .flatMap(permission -> permission.letters().stream())
                .flatMapToInt(String::chars)
                .distinct()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    /** Every largest set of letters that does not have the permission; none if the permission needs no letter. */
    private static List<String> without(Permission permission, String letters) {
        List<String> sets = List.of(letters);
        for (String alternative : permission.letters()) {
            sets = sets.stream()
                    .flatMap(set -> alternative.chars().mapToObj(letter -> set.replace(Character.toString(letter), "")))
                    .toList();
        }
        return sets;
    }

    private void putPolicy(Service service, String letters) throws IOException {
        String policy = "<SignedIdentifiers><SignedIdentifier><Id>policy</Id><AccessPolicy><Expiry>2027-01-01T00:00:00Z"
                + "</Expiry><Permission>" + letters
                + "</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>";
        String path = "/" + resource + (service == Service.BLOB ? "?restype=container&comp=acl" : "?comp=acl");
        assertThat(ask(signedWithKey(new Sent(service, "PUT", path, List.of())), policy)
                        .status())
                .isBetween(200, 204);
    }

    private void assertAllowed(Example example, Credentials credentials) throws IOException {
        Answer answer = send(example, credentials);
        assertThat(isRefused(answer)).as(example + ": " + answer).isFalse();
    }

    private void assertRefused(Example example, Credentials credentials) throws IOException {
        Answer answer = send(example, credentials);
        assertThat(isRefused(answer)).as(example + ": " + answer).isTrue();
    }

    /** A transaction is refused in the response to its first operation. */
    private static boolean isRefused(Answer answer) {
        return answer.status() == 401 || answer.status() == 403 || answer.body().contains("HTTP/1.1 403 Forbidden");
    }

    /** Adds credentials to a request. */
    private interface Credentials {
        Sent addTo(Sent request) throws IOException;
    }

    /** A request as it is sent. */
    private record Sent(Service service, String method, String path, List<String> headers) {
        Sent signed(Sas sas) {
            String target = path + (path.contains("?") ? "&" : "?") + sas.query();
            return new Sent(service, method, target, headers);
        }

        Sent plus(String... more) {
            return new Sent(
                    service,
                    method,
                    path,
                    Stream.concat(headers.stream(), Stream.of(more)).toList());
        }

        /** The value of Content-Type, or empty. */
        String contentType() {
            return headers.stream()
                    .filter(header -> header.startsWith("Content-Type: "))
                    .map(header -> header.substring("Content-Type: ".length()))
                    .findFirst()
                    .orElse("");
        }

        /** The canonicalized headers of Shared Key Lite. */
        String canonicalHeaders() {
            return headers.stream()
                    .filter(header -> header.startsWith("x-ms-"))
                    .map(header -> header.replace(": ", ":") + "\n")
                    .sorted()
                    .collect(Collectors.joining());
        }

        /** The canonicalized resource of Shared Key Lite. */
        String canonicalResource() {
            Matcher comp = Pattern.compile("[?&](comp=[a-z]+)").matcher(path);
            return "/devstoreaccount1/devstoreaccount1" + path.replaceAll("\\?.*", "")
                    + (comp.find() ? "?" + comp.group(1) : "");
        }
    }

    private static Sent signedWithKey(Sent request) {
        Sent dated = request.plus("x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT", VERSION);
        String text = request.service() == Service.TABLE
                ? "Mon, 02 Mar 2026 10:00:00 GMT\n" + dated.canonicalResource()
                : String.join("\n", request.method(), "", dated.contentType(), "", dated.canonicalHeaders())
                        + dated.canonicalResource();
        return dated.plus("Authorization: SharedKeyLite devstoreaccount1:" + Requests.sign(Requests.KEY, text));
    }

    /** Sends a request to a separate resource. */
    private Answer send(Example example, Credentials credentials) throws IOException {
        resources++;
        resource = "res" + resources;
        fresh = "new" + resources;
        makeResource(example.service());
        Sent request = credentials.addTo(new Sent(
                example.service(),
                example.method(),
                filled(example.path()),
                example.headers().stream().map(this::filled).toList()));
        return ask(request, filled(example.body()));
    }

    private static Answer ask(Sent request, String body) throws IOException {
        return server.ask(
                request.service(),
                request.method(),
                "/devstoreaccount1" + request.path(),
                body,
                request.headers().toArray(String[]::new));
    }

    private String filled(String text) {
        return text.replace("NEW", fresh).replaceAll("\\bR\\b", resource);
    }

    private void makeResource(Service service) throws IOException {
        switch (service) {
            case TABLE ->
                server.owner(
                        service,
                        "POST",
                        "/Tables",
                        "{\"TableName\":\"" + resource + "\"}",
                        "Content-Type: application/json");
            case QUEUE -> server.owner(service, "PUT", "/" + resource, "");
            case BLOB -> {
                String container = "/" + resource + "?restype=container";
                if (access == PublicAccess.NONE) {
                    server.owner(service, "PUT", container, "");
                } else {
                    server.owner(service, "PUT", container, "", "x-ms-blob-public-access: " + access.word());
                }
                server.owner(service, "PUT", "/" + resource + "/b", "x", "x-ms-blob-type: BlockBlob");
            }
        }
    }
}
