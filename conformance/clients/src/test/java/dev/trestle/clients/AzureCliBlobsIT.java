package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code az storage container} and {@code az storage blob}. Every test creates its container, {@code files}. */
class AzureCliBlobsIT {
    private static Server server;

    @TempDir
    private Path folder;

    private AzureCli az;
    private String container;

    @BeforeAll
    static void start() {
        server = Server.start("azure-cli-blobs");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void makeContainer(TestInfo test) {
        az = AzureCli.of(server, folder);
        container = "c" + Integer.toHexString(test.getDisplayName().hashCode());
        assertThat(az.run("container create -n " + container)).isEqualTo("True");
    }

    @Test
    void containers_are_made_listed_described_and_deleted() {
        assertThat(az.run("container create -n " + container)).isEqualTo("False");
        assertThat(az.lines("container list --query [].name")).contains(container);
        az.run("container metadata update -n " + container + " --metadata owner=reports stage=two");
        assertThat(az.lines("container metadata show -n " + container + " --query [owner,stage]"))
                .containsExactly("reports", "two");
        assertThat(az.run("container show -n " + container + " --query properties.lease.state"))
                .isEqualTo("available");
        assertThat(az.run("container show-permission -n " + container + " --query publicAccess"))
                .isEqualTo("off");
        az.run("container policy create -c " + container
                + " -n readers --permissions rl --start 2020-01-01T00:00Z --expiry 2099-01-01T00:00Z");
        assertThat(az.run("container policy show -c " + container + " -n readers --query permission"))
                .isEqualTo("rl");
        az.run("container policy delete -c " + container + " -n readers");
        assertThat(az.run("container policy list -c " + container)).isEmpty();
        assertThat(az.run("container delete -n " + container)).isEqualTo("True");
        assertThat(az.run("container exists -n " + container)).isEqualTo("False");
    }

    @Test
    void a_blob_is_uploaded_described_and_downloaded() {
        Path file = folder.resolve("report.txt");
        FileTree.write(file, "the report");
        String blob = " -c " + container + " -n reports/märz.txt";
        az.run("blob upload" + blob + " --content-type text/plain --metadata author=ines --file " + file);
        assertThat(az.run("blob exists" + blob)).isEqualTo("True");
        assertThat(az.lines("blob show" + blob
                        + " --query [properties.contentLength,properties.contentSettings.contentType,metadata.author]"))
                .containsExactly("10", "text/plain", "ines");
        az.run("blob download" + blob + " --file " + folder.resolve("back.txt"));
        assertThat(folder.resolve("back.txt")).hasContent("the report");
        az.run("blob download" + blob + " --start-range 4 --end-range 9 --file " + folder.resolve("part.txt"));
        assertThat(folder.resolve("part.txt")).hasContent("report");
        assertThat(az.fails("blob upload" + blob + " --file " + file)).contains("already exists");
        FileTree.write(file, "the second report");
        az.run("blob upload" + blob + " --overwrite --file " + file);
        assertThat(az.run("blob show" + blob + " --query properties.contentLength"))
                .isEqualTo("17");
        az.run("blob update" + blob + " --content-language de");
        assertThat(az.run("blob show" + blob + " --query properties.contentSettings.contentLanguage"))
                .isEqualTo("de");
        az.run("blob metadata update" + blob + " --metadata author=otto");
        assertThat(az.run("blob metadata show" + blob + " --query author")).isEqualTo("otto");
        az.run("blob set-tier" + blob + " --tier Cool");
        assertThat(az.run("blob show" + blob + " --query properties.blobTier")).isEqualTo("Cool");
        az.run("blob delete" + blob);
        assertThat(az.run("blob exists" + blob)).isEqualTo("False");
    }

    @Test
    void appending_uploads_extend_a_blob() {
        Path file = folder.resolve("line.txt");
        FileTree.write(file, "one line\n");
        String blob = " -c " + container + " -n log.txt";
        az.run("blob upload --type append" + blob + " --file " + file);
        az.run("blob upload --type append" + blob + " --file " + file);
        az.run("blob download" + blob + " --file " + folder.resolve("back.txt"));
        assertThat(folder.resolve("back.txt")).hasContent("one line\none line\n");
    }

    @Test
    void a_tree_is_uploaded_downloaded_and_deleted_as_a_batch() {
        Path tree = FileTree.create(folder.resolve("tree"));
        az.run("blob upload-batch --no-progress --destination " + container + " --destination-path kept --source "
                + tree);
        Path back = folder.resolve("back");
        assertThat(back.toFile().mkdir()).isTrue();
        az.run("blob download-batch --no-progress --source " + container + " --destination " + back);
        assertThat(FileTree.contents(back.resolve("kept"))).isEqualTo(FileTree.contents(tree));
        assertThat(az.lines("blob list -c " + container + " --delimiter / --prefix kept/ --query [].name"))
                .contains("kept/empty", "kept/large.bin", "kept/names/", "kept/many/");
        assertThat(az.lines("blob list -c " + container + " --num-results 5 --query [].name"))
                .hasSize(5);
        az.run("blob delete-batch --source " + container + " --pattern kept/many/*");
        Map<String, String> left = new TreeMap<>(FileTree.contents(tree));
        left.keySet().removeIf(name -> name.startsWith("many/"));
        assertThat(az.lines("blob list -c " + container + " --query [].name"))
                .containsExactlyInAnyOrderElementsOf(
                        left.keySet().stream().map(name -> "kept/" + name).toList());
    }

    @Test
    void a_blob_is_copied() {
        Path file = folder.resolve("file.txt");
        FileTree.write(file, "copied");
        az.run("blob upload -c " + container + " --file " + file, "--name", "grün 水 🚀.txt");
        String copies = container + "copies";
        az.run("container create -n " + copies);
        az.run(
                "blob copy start --source-container " + container + " --destination-container " + copies
                        + " --destination-blob a/copy",
                "--source-blob",
                "grün 水 🚀.txt");
        assertThat(az.run("blob show -c " + copies + " -n a/copy --query properties.copy.status"))
                .isEqualTo("success");
        az.run("blob download -c " + copies + " -n a/copy --file " + folder.resolve("back.txt"));
        assertThat(folder.resolve("back.txt")).hasContent("copied");
    }

    @Test
    void many_blobs_are_copied_by_the_names_of_the_service() {
        AzureCertificate certificate = AzureCertificate.in(folder);
        try (Server secured = Server.start(
                        "azure-cli-tls", "--tls-cert=" + certificate.certificate(), "--tls-key=" + certificate.key());
                AzureHosts hosts = AzureHosts.leadingTo(secured.blobPort())) {
            // With a connection string start-batch would look for its source at these names all the same.
            AzureCli named = AzureCli.byNamesOfTheService(hosts, certificate, folder);
            Path names = FileTree.create(folder.resolve("tree")).resolve("names");
            named.run("container create -n source");
            named.run("container create -n target");
            named.run("blob upload-batch --no-progress --destination source --source " + names);
            named.run("blob copy start-batch --source-container source --destination-container target"
                    + " --destination-path all");
            Path back = folder.resolve("back");
            assertThat(back.toFile().mkdir()).isTrue();
            named.run("blob download-batch --no-progress --source target --destination " + back);
            assertThat(FileTree.contents(back.resolve("all"))).isEqualTo(FileTree.contents(names));
        }
    }

    @Test
    void a_lease_keeps_others_from_writing() {
        String blob = " -c " + container + " -b leased.txt";
        Path file = folder.resolve("file.txt");
        FileTree.write(file, "leased");
        az.run("blob upload -c " + container + " -n leased.txt --file " + file);
        String lease = az.run("blob lease acquire" + blob + " --lease-duration 60");
        assertThat(lease).hasSize(36);
        assertThat(az.fails("blob delete -c " + container + " -n leased.txt")).contains("LeaseIdMissing");
        az.run("blob lease renew" + blob + " --lease-id " + lease);
        az.run("blob upload --overwrite -c " + container + " -n leased.txt --lease-id " + lease + " --file " + file);
        String other = "7f3b61e6-8f3a-4c3e-9a55-0f1f0a1b2c3d";
        az.run("blob lease change" + blob + " --lease-id " + lease + " --proposed-lease-id " + other);
        az.run("blob lease release" + blob + " --lease-id " + other);
        az.run("blob lease acquire" + blob + " --lease-duration -1");
        assertThat(az.run("blob lease break" + blob)).isEqualTo("0");
        az.run("blob delete -c " + container + " -n leased.txt");
        String whole = az.run("container lease acquire -c " + container + " --lease-duration 15");
        assertThat(az.fails("container delete -n " + container)).contains("LeaseIdMissing");
        assertThat(az.run("container delete -n " + container + " --lease-id " + whole))
                .isEqualTo("True");
    }

    @Test
    void a_snapshot_keeps_what_a_blob_was() {
        Path file = folder.resolve("file.txt");
        FileTree.write(file, "before");
        String blob = " -c " + container + " -n kept.txt";
        az.run("blob upload" + blob + " --file " + file);
        String snapshot = az.run("blob snapshot" + blob + " --query snapshot");
        FileTree.write(file, "after");
        az.run("blob upload --overwrite" + blob + " --file " + file);
        az.run("blob download" + blob + " --snapshot " + snapshot + " --file " + folder.resolve("back.txt"));
        assertThat(folder.resolve("back.txt")).hasContent("before");
        assertThat(az.lines("blob list -c " + container + " --include s --query [].name"))
                .containsExactly("kept.txt", "kept.txt");
        assertThat(az.fails("blob delete" + blob)).contains("SnapshotsPresent");
        az.run("blob delete" + blob + " --delete-snapshots include");
        assertThat(az.run("blob list -c " + container + " --include s")).isEmpty();
    }

    @Test
    void signatures_open_what_they_are_made_for_and_nothing_else() {
        Path file = folder.resolve("file.txt");
        FileTree.write(file, "shared");
        az.run("blob upload -c " + container + " -n a/shared.txt --file " + file);
        az.run("blob upload -c " + container + " -n other.txt --file " + file);
        AzureCli guest = AzureCli.withoutCredentials(folder);
        String address = az.run("blob generate-sas -c " + container
                + " -n a/shared.txt --permissions r --expiry 2099-01-01T00:00Z --full-uri");
        guest.run("blob download --blob-url " + address + " --file " + folder.resolve("back.txt"));
        assertThat(folder.resolve("back.txt")).hasContent("shared");
        assertThat(guest.fails("blob upload --overwrite --blob-url " + address + " --file " + file))
                .contains(AzureCli.NOT_PERMITTED);
        assertThat(guest.fails("blob download --blob-url " + address.replace("a/shared.txt", "other.txt") + " --file "
                        + folder.resolve("other.txt")))
                .contains("Authentication failure.");

        String endpoint = " --blob-endpoint " + server.blobEndpoint(Server.ACCOUNT);
        az.run("container policy create -c " + container + " -n writers --permissions rwdl --expiry 2099-01-01T00:00Z");
        String policy = " --sas-token " + az.run("container generate-sas -n " + container + " --policy-name writers");
        guest.run("blob upload -c " + container + " -n new.txt --file " + file + endpoint + policy);
        assertThat(guest.lines("blob list -c " + container + " --query [].name" + endpoint + policy))
                .containsExactly("a/shared.txt", "new.txt", "other.txt");

        String account = " --sas-token "
                + az.run("account generate-sas --account-name " + Server.ACCOUNT + " --account-key " + Server.KEY
                        + " --services b --resource-types s --permissions l --expiry 2099-01-01T00:00Z");
        assertThat(guest.lines("container list --query [].name" + endpoint + account))
                .contains(container);
        assertThat(guest.fails("blob list -c " + container + endpoint + account))
                .contains("AuthorizationResourceTypeMismatch");
    }

    @Test
    void tags_are_written_with_a_blob() {
        Path file = folder.resolve("file.txt");
        FileTree.write(file, "tagged");
        String blob = " -c " + container + " -n tagged.txt";
        az.run("blob upload" + blob + " --tags project=one state=open --file " + file);
        assertThat(az.run("blob show" + blob + " --query tagCount")).isEqualTo("2");
        assertThat(az.fails(
                        "blob download" + blob + " --file " + folder.resolve("back.txt"),
                        "--tags-condition",
                        "\"state\"='closed'"))
                .contains("ConditionNotMet");
        az.run(
                "blob download" + blob + " --file " + folder.resolve("back.txt"),
                "--tags-condition",
                "\"state\"='open'");
        assertThat(folder.resolve("back.txt")).hasContent("tagged");
    }

    @Test
    void the_service_is_configured() {
        az.run("cors add --services b --methods GET PUT --origins https://example.org --max-age 60");
        assertThat(az.lines("cors list --services b --query [].AllowedOrigins"))
                .isEqualTo(List.of("https://example.org"));
        az.run("cors clear --services b");
        assertThat(az.run("cors list --services b")).isEmpty();
        az.run("logging update --services bqt --log rwd --retention 7");
        assertThat(az.run("logging show --services b --query blob.retentionPolicy.days"))
                .isEqualTo("7");
        az.run("logging off --services bqt");
        az.run("metrics update --services bqt --hour true --minute false --api true --retention 3");
        assertThat(az.run("metrics show --services b --interval hour --query blob.hour.retentionPolicy.days"))
                .isEqualTo("3");
    }
}
