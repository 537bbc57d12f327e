package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * restic with its azure backend. It can be given no endpoint, so it speaks to {@code ACCOUNT.blob.core.windows.net} by TLS,
 * by way of a proxy.
 */
class ResticIT {
    private static final Pattern SNAPSHOT = Pattern.compile("\"short_id\":\"([0-9a-f]{8})\"");

    @TempDir
    private Path folder;

    private Server server;
    private AzureHosts hosts;
    private Program restic;
    private Path tree;

    @BeforeEach
    void start() {
        AzureCertificate certificate = AzureCertificate.in(folder);
        server = Server.start("restic", "--tls-cert=" + certificate.certificate(), "--tls-key=" + certificate.key());
        hosts = AzureHosts.leadingTo(server.blobPort());
        restic = Program.installed("restic", "the Debian package restic", folder)
                .always("--cacert", certificate.certificate().toString(), "--no-cache")
                .with("HTTPS_PROXY", hosts.url())
                .with("AZURE_ACCOUNT_NAME", Server.ACCOUNT)
                .with("AZURE_ACCOUNT_KEY", Server.KEY)
                .with("RESTIC_REPOSITORY", "azure:backups:/")
                .with("RESTIC_PASSWORD", "the password of the repository");
        tree = FileTree.create(folder.resolve("tree"));
        restic.run("init");
    }

    @AfterEach
    void stop() {
        hosts.close();
        server.close();
    }

    @Test
    void what_was_backed_up_is_restored() {
        restic.run("backup", tree.toString());
        restic.run("check", "--read-data");
        restic.run("restore", "latest", "--target", folder.resolve("restored").toString());
        assertThat(FileTree.contents(folder.resolve("restored" + tree))).isEqualTo(FileTree.contents(tree));
    }

    @Test
    void each_snapshot_keeps_the_files_of_its_time() throws IOException {
        restic.run("backup", tree.toString());
        var before = FileTree.contents(tree);
        FileTree.write(tree.resolve("many/file-3.txt"), "changed");
        Files.delete(tree.resolve("many/file-4.txt"));
        restic.run("backup", tree.toString());
        List<String> snapshots = snapshots();
        assertThat(snapshots).hasSize(2);
        assertThat(restic.run("diff", snapshots.get(0), snapshots.get(1)))
                .contains("M    " + tree.resolve("many/file-3.txt"), "-    " + tree.resolve("many/file-4.txt"));
        restic.run(
                "restore", snapshots.get(0), "--target", folder.resolve("first").toString());
        restic.run(
                "restore",
                snapshots.get(1),
                "--target",
                folder.resolve("second").toString());
        assertThat(FileTree.contents(folder.resolve("first" + tree))).isEqualTo(before);
        assertThat(FileTree.contents(folder.resolve("second" + tree))).isEqualTo(FileTree.contents(tree));
    }

    @Test
    void files_are_found_listed_and_printed() {
        restic.run("backup", tree.toString());
        assertThat(restic.run("ls", "latest"))
                .contains(tree.resolve("names/grün 水 🚀.txt").toString());
        assertThat(restic.run("find", "small.*"))
                .contains(tree.resolve("deeply/nested/folder/small.txt").toString());
        assertThat(restic.run(
                        "dump",
                        "latest",
                        tree.resolve("deeply/nested/folder/small.txt").toString()))
                .isEqualTo("small");
        assertThat(restic.run("stats", "--json")).contains("\"total_size\":");
    }

    @Test
    void what_only_forgotten_snapshots_need_is_pruned() throws IOException {
        restic.run("backup", tree.toString());
        Files.delete(tree.resolve("large.bin"));
        restic.run("backup", tree.toString());
        assertThat(restic.run("forget", "--keep-last", "1", "--prune")).contains("remove 1 snapshots");
        assertThat(snapshots()).hasSize(1);
        restic.run("check", "--read-data");
        assertThat(restic.run("stats", "--mode", "raw-data", "--json")).containsPattern("\"total_size\":\\d{1,6}[,}]");
        restic.run("restore", "latest", "--target", folder.resolve("restored").toString());
        assertThat(FileTree.contents(folder.resolve("restored" + tree))).isEqualTo(FileTree.contents(tree));
    }

    @Test
    void a_repository_is_made_once_and_opened_by_its_keys_only() {
        assertThat(restic.attempt("init").failed()).contains("already");
        assertThat(restic.with("RESTIC_PASSWORD", "wrong").attempt("snapshots").failed())
                .contains("wrong password");
        FileTree.write(folder.resolve("new"), "another password");
        restic.run("key", "add", "--new-password-file", folder.resolve("new").toString());
        restic.with("RESTIC_PASSWORD", "another password").run("snapshots");
        restic.run("unlock");
        assertThat(restic.run("list", "keys").lines()).hasSize(2);
    }

    private List<String> snapshots() {
        return SNAPSHOT.matcher(restic.run("snapshots", "--json"))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
