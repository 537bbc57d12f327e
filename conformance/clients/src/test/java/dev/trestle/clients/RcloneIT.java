package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * rclone with its azureblob backend, once as for the emulator (plain HTTP, the development account in the path) and once as
 * for the service (TLS, an account in the host name). It retries nothing, so that no failure is hidden.
 */
class RcloneIT {
    @TempDir
    private Path folder;

    private Server server;
    private Program rclone;

    @BeforeEach
    void start() {
        server = Server.start("rclone");
        rclone = rclone().with("RCLONE_CONFIG_AZURE_TYPE", "azureblob")
                .with("RCLONE_CONFIG_AZURE_USE_EMULATOR", "true")
                .with("RCLONE_CONFIG_AZURE_ACCOUNT", Server.DEVELOPMENT_ACCOUNT)
                .with("RCLONE_CONFIG_AZURE_KEY", Server.DEVELOPMENT_KEY)
                .with("RCLONE_CONFIG_AZURE_ENDPOINT", server.blobEndpoint(Server.DEVELOPMENT_ACCOUNT));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Program rclone() {
        return Program.installed("rclone", "the Debian package rclone", folder)
                .always("--retries", "1", "--low-level-retries", "1", "--azureblob-list-chunk", "7");
    }

    @Test
    void containers_are_made_listed_and_removed() {
        rclone.run("mkdir", "azure:first");
        rclone.run("mkdir", "azure:second");
        // Again: an existing container is no failure.
        rclone.run("mkdir", "azure:second");
        assertThat(lines(rclone.run("lsf", "azure:"))).containsExactly("first/", "second/");
        rclone.run("rmdir", "azure:first");
        assertThat(lines(rclone.run("lsf", "azure:"))).containsExactly("second/");
    }

    @Test
    void a_tree_comes_back_as_it_was_copied() {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.run("copy", tree.toString(), "azure:backup/of the tree");
        rclone.run("check", tree.toString(), "azure:backup/of the tree");
        rclone.run("check", "--download", tree.toString(), "azure:backup/of the tree");
        rclone.run("copy", "azure:backup/of the tree", folder.resolve("back").toString());
        assertThat(FileTree.contents(folder.resolve("back"))).isEqualTo(FileTree.contents(tree));
    }

    @Test
    void sync_transfers_what_changed_and_deletes_what_is_gone() throws IOException {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.run("sync", tree.toString(), "azure:mirror");
        FileTree.write(tree.resolve("many/file-3.txt"), "changed");
        FileTree.write(tree.resolve("many/new.txt"), "new");
        Files.delete(tree.resolve("many/file-4.txt"));
        Files.delete(tree.resolve("large.bin"));
        rclone.attempt("check", tree.toString(), "azure:mirror").failed();
        rclone.run("sync", tree.toString(), "azure:mirror");
        rclone.run("check", tree.toString(), "azure:mirror");
        assertThat(lines(rclone.run("lsf", "-R", "--files-only", "azure:mirror")))
                .isEqualTo(FileTree.contents(tree).keySet());
    }

    @Test
    void a_second_copy_of_the_same_tree_transfers_nothing() {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.run("copy", tree.toString(), "azure:backup");
        Program.Run again = rclone.attempt("copy", "-v", tree.toString(), "azure:backup");
        again.succeeded();
        assertThat(again.errors()).contains("There was nothing to transfer");
    }

    @Test
    void blobs_are_copied_and_moved_inside_the_service() {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.run("copy", tree.toString(), "azure:source/tree");
        rclone.run("copy", "azure:source/tree", "azure:target/copied");
        rclone.run("check", tree.toString(), "azure:target/copied");
        rclone.run("move", "azure:source/tree", "azure:target/moved");
        rclone.run("check", tree.toString(), "azure:target/moved");
        assertThat(rclone.run("lsf", "-R", "azure:source")).isEmpty();
    }

    @Test
    void single_blobs_are_written_read_listed_and_deleted() {
        Path file = folder.resolve("report.html");
        FileTree.write(file, "<p>0123456789</p>");
        rclone.run("copyto", file.toString(), "azure:files/a folder/report.html");
        assertThat(rclone.run("cat", "azure:files/a folder/report.html")).isEqualTo("<p>0123456789</p>");
        assertThat(rclone.run("cat", "--offset", "3", "--count", "4", "azure:files/a folder/report.html"))
                .isEqualTo("0123");
        assertThat(rclone.run("lsjson", "--hash", "-R", "--files-only", "azure:files"))
                .contains(
                        "\"Path\":\"a folder/report.html\"", "\"Size\":17", "\"MimeType\":\"text/html; charset=utf-8\"")
                .contains("\"md5\":\"7c5c4a4528465846b2f4c46c1b6f7f17\"");
        rclone.run("touch", "-t", "2020-02-03T04:05:06", "azure:files/a folder/report.html");
        assertThat(rclone.run("lsjson", "azure:files/a folder")).contains("\"ModTime\":\"2020-02-03T04:05:06.");
        rclone.run("settier", "Cool", "azure:files/a folder/report.html");
        assertThat(rclone.run("lsjson", "azure:files/a folder")).contains("\"Tier\":\"Cool\"");
        rclone.run("deletefile", "azure:files/a folder/report.html");
        assertThat(rclone.run("lsf", "-R", "azure:files")).isEmpty();
    }

    @Test
    void purge_removes_a_folder_and_a_container_with_all_in_it() {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.run("copy", tree.toString(), "azure:backup/one");
        rclone.run("copy", tree.resolve("names").toString(), "azure:backup/two");
        rclone.run("purge", "azure:backup/one");
        assertThat(lines(rclone.run("lsf", "azure:backup"))).containsExactly("two/");
        rclone.run("purge", "azure:backup");
        assertThat(rclone.run("lsf", "azure:")).isEmpty();
    }

    @Test
    void a_stream_of_unknown_length_is_stored() {
        Path tree = FileTree.create(folder.resolve("tree"));
        rclone.input(tree.resolve("large.bin")).run("rcat", "azure:streams/large.bin");
        rclone.run("copy", "azure:streams", folder.resolve("back").toString());
        assertThat(folder.resolve("back/large.bin")).hasSameBinaryContentAs(tree.resolve("large.bin"));
    }

    @Test
    void the_names_of_the_service_work_over_tls() {
        AzureCertificate certificate = AzureCertificate.in(folder);
        try (Server secured = Server.start(
                        "rclone-tls", "--tls-cert=" + certificate.certificate(), "--tls-key=" + certificate.key());
                AzureHosts hosts = AzureHosts.leadingTo(secured.blobPort())) {
            Program azure = rclone().always(
                            "--ca-cert", certificate.certificate().toString())
                    .with("HTTPS_PROXY", hosts.url())
                    .with("RCLONE_CONFIG_AZURE_TYPE", "azureblob")
                    .with("RCLONE_CONFIG_AZURE_ACCOUNT", Server.ACCOUNT)
                    .with("RCLONE_CONFIG_AZURE_KEY", Server.KEY);
            Path tree = FileTree.create(folder.resolve("tree"));
            azure.run("sync", tree.toString(), "azure:backup");
            azure.run("check", "--download", tree.toString(), "azure:backup");
            azure.run("copy", "azure:backup/names", "azure:backup/copied");
            azure.run("check", tree.resolve("names").toString(), "azure:backup/copied");
            azure.run("purge", "azure:backup");
            assertThat(azure.run("lsf", "azure:")).isEmpty();
        }
    }

    private static Set<String> lines(String text) {
        return new TreeSet<>(text.lines().toList());
    }
}
