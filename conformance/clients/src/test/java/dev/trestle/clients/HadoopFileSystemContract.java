package dev.trestle.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requirements of Hadoop for a file system, for each of its implementations for Azure. */
abstract class HadoopFileSystemContract {
    static final String CONTAINER = "files";

    @TempDir
    private java.nio.file.Path folder;

    private Server server;
    private Configuration configuration;
    FileSystem files;

    /** Returns the root of the file system in {@link #CONTAINER}, and configures it. */
    abstract Path root(Server server, Configuration configuration);

    abstract String name();

    @BeforeEach
    void start() throws IOException {
        server = Server.start("hadoop-" + name());
        server.createContainer(CONTAINER);
        configuration = new Configuration();
        configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
        // A retry would hide a failure, and wait long for it.
        configuration.setInt("fs.azure.io.retry.max.retries", 0);
        Path root = root(server, configuration);
        FileSystem.setDefaultUri(configuration, root.toUri());
        files = FileSystem.newInstance(root.toUri(), configuration);
        files.setWorkingDirectory(new Path("/"));
    }

    @AfterEach
    void stop() throws IOException {
        try {
            files.close();
        } finally {
            server.close();
        }
    }

    @Test
    void folders_are_made_with_those_above_them() throws IOException {
        assertThat(files.mkdirs(new Path("/a/b/c"))).isTrue();
        assertThat(files.mkdirs(new Path("/a/b/c"))).isTrue();
        assertThat(files.getFileStatus(new Path("/a/b")).isDirectory()).isTrue();
        assertThat(names(files.listStatus(new Path("/a/b")))).containsExactly("c");
        assertThat(files.listStatus(new Path("/a/b/c"))).isEmpty();
        write("/a/file", "x");
        assertThatThrownBy(() -> files.mkdirs(new Path("/a/file/below"))).isInstanceOf(IOException.class);
    }

    @Test
    void what_is_written_is_read_from_any_position() throws IOException {
        byte[] content = new byte[FileTree.LARGE];
        new Random(1).nextBytes(content);
        Path path = new Path("/folder/large.bin");
        try (FSDataOutputStream out = files.create(path)) {
            out.write(content);
        }
        assertThat(files.getFileStatus(path).getLen()).isEqualTo(content.length);
        try (FSDataInputStream in = files.open(path)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
            in.seek(12_345_678);
            byte[] part = new byte[1000];
            in.readFully(part);
            assertThat(part).isEqualTo(Arrays.copyOfRange(content, 12_345_678, 12_346_678));
        }
    }

    @Test
    void an_empty_file_is_a_file() throws IOException {
        write("/empty", "");
        assertThat(files.getFileStatus(new Path("/empty")).isFile()).isTrue();
        assertThat(read("/empty")).isEmpty();
    }

    @Test
    void names_keep_their_letters_and_marks() throws IOException {
        List<String> names = List.of("grün 水 🚀", "100% & more, #1? [a+b=c];", "%41%2F", "two  spaces and ~");
        for (String name : names) {
            write("/names/" + name, name);
        }
        for (String name : names) {
            assertThat(read("/names/" + name)).isEqualTo(name);
        }
        assertThat(names(files.listStatus(new Path("/names")))).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void a_file_is_overwritten_only_when_asked() throws IOException {
        write("/file", "first");
        assertThatThrownBy(() -> files.create(new Path("/file"), false).close())
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(read("/file")).isEqualTo("first");
        write("/file", "second");
        assertThat(read("/file")).isEqualTo("second");
    }

    @Test
    void an_append_extends_a_file() throws IOException {
        write("/log", "one\n");
        for (String line : List.of("two\n", "three\n")) {
            try (FSDataOutputStream out = files.append(new Path("/log"))) {
                out.write(line.getBytes(UTF_8));
            }
        }
        assertThat(read("/log")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void a_file_is_renamed_and_moved() throws IOException {
        write("/from/file", "content");
        files.mkdirs(new Path("/to"));
        assertThat(files.rename(new Path("/from/file"), new Path("/to/renamed")))
                .isTrue();
        assertThat(files.exists(new Path("/from/file"))).isFalse();
        assertThat(read("/to/renamed")).isEqualTo("content");
        assertThat(files.exists(new Path("/from"))).isTrue();
        write("/other", "other");
        assertThat(files.rename(new Path("/other"), new Path("/to"))).isTrue();
        assertThat(read("/to/other")).isEqualTo("other");
        assertThat(files.rename(new Path("/no such file"), new Path("/new"))).isFalse();
    }

    @Test
    void a_folder_is_renamed_with_all_in_it() throws IOException {
        for (int i = 0; i < 20; i++) {
            write("/tree/sub " + i % 3 + "/file-" + i, "content " + i);
        }
        files.mkdirs(new Path("/tree/empty"));
        assertThat(files.rename(new Path("/tree"), new Path("/renamed"))).isTrue();
        assertThat(files.exists(new Path("/tree"))).isFalse();
        assertThat(recursive("/renamed")).hasSize(20);
        assertThat(read("/renamed/sub 1/file-7")).isEqualTo("content 7");
        assertThat(files.getFileStatus(new Path("/renamed/empty")).isDirectory())
                .isTrue();
    }

    @Test
    void a_folder_of_hbase_is_renamed_under_a_lease() throws IOException {
        // Both file systems rename below /hbase atomically: with a lease, and with a record of the remaining steps.
        for (int i = 0; i < 5; i++) {
            write("/hbase/.tmp/table/region-" + i + "/file", "content " + i);
        }
        files.mkdirs(new Path("/hbase/data"));
        assertThat(files.rename(new Path("/hbase/.tmp/table"), new Path("/hbase/data/table")))
                .isTrue();
        assertThat(recursive("/hbase")).hasSize(5);
        assertThat(read("/hbase/data/table/region-3/file")).isEqualTo("content 3");
        assertThat(files.delete(new Path("/hbase"), true)).isTrue();
        assertThat(files.exists(new Path("/hbase"))).isFalse();
    }

    @Test
    void listings_show_one_folder_or_everything_below_it() throws IOException {
        write("/list/a", "1");
        write("/list/b/c", "22");
        write("/list/b/d/e", "333");
        write("/listed", "not below");
        assertThat(names(files.listStatus(new Path("/list")))).containsExactlyInAnyOrder("a", "b");
        assertThat(recursive("/list")).containsExactly("/list/a", "/list/b/c", "/list/b/d/e");
        assertThat(names(files.globStatus(new Path("/list*/b/*")))).containsExactlyInAnyOrder("c", "d");
        assertThat(files.getContentSummary(new Path("/list")).getLength()).isEqualTo(6);
        assertThatThrownBy(() -> files.listStatus(new Path("/no such folder")))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void files_and_folders_are_deleted() throws IOException {
        write("/folder/file", "x");
        write("/folder/sub/file", "x");
        assertThat(files.delete(new Path("/folder/file"), false)).isTrue();
        assertThat(files.delete(new Path("/folder/file"), false)).isFalse();
        assertThatThrownBy(() -> files.delete(new Path("/folder"), false)).isInstanceOf(IOException.class);
        assertThat(files.delete(new Path("/folder"), true)).isTrue();
        assertThat(files.exists(new Path("/folder/sub/file"))).isFalse();
        assertThat(files.exists(new Path("/folder"))).isFalse();
    }

    @Test
    void a_tree_is_copied_there_and_back() throws IOException {
        java.nio.file.Path tree = FileTree.create(folder.resolve("tree"));
        FileSystem local = FileSystem.getLocal(configuration);
        assertThat(FileUtil.copy(local, new Path(tree.toUri()), files, new Path("/copied"), false, configuration))
                .isTrue();
        assertThat(FileUtil.copy(files, new Path("/copied"), files, new Path("/again"), false, configuration))
                .isTrue();
        java.nio.file.Path back = folder.resolve("back");
        assertThat(FileUtil.copy(files, new Path("/again"), local, new Path(back.toUri()), false, configuration))
                .isTrue();
        Map<String, String> copied = FileTree.contents(back);
        copied.keySet().removeIf(name -> name.endsWith(".crc"));
        assertThat(copied).isEqualTo(FileTree.contents(tree));
    }

    @Test
    void the_commands_of_hadoop_fs_work() throws Exception {
        java.nio.file.Path file = folder.resolve("file.txt");
        FileTree.write(file, "from the command line");
        FsShell shell = new FsShell(configuration);
        for (String[] command : List.of(
                new String[] {"-mkdir", "-p", "/shell/folder"},
                new String[] {"-put", file.toString(), "/shell/folder/file.txt"},
                new String[] {"-test", "-f", "/shell/folder/file.txt"},
                new String[] {"-cp", "/shell/folder/file.txt", "/shell/copy.txt"},
                new String[] {"-mv", "/shell/copy.txt", "/shell/moved.txt"},
                new String[] {"-appendToFile", file.toString(), "/shell/moved.txt"},
                new String[] {
                    "-get", "/shell/moved.txt", folder.resolve("back.txt").toString()
                },
                new String[] {"-rm", "-r", "-skipTrash", "/shell"})) {
            assertThat(shell.run(command)).as(String.join(" ", command)).isZero();
        }
        assertThat(FileTree.read(folder.resolve("back.txt"))).isEqualTo("from the command linefrom the command line");
        assertThat(files.exists(new Path("/shell"))).isFalse();
    }

    private void write(String path, String content) throws IOException {
        try (FSDataOutputStream out = files.create(new Path(null, null, path))) {
            out.write(content.getBytes(UTF_8));
        }
    }

    final String read(String path) throws IOException {
        try (FSDataInputStream in = files.open(new Path(null, null, path))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static List<String> names(FileStatus[] found) {
        return Arrays.stream(found).map(file -> file.getPath().getName()).toList();
    }

    private List<String> recursive(String path) throws IOException {
        List<String> paths = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> found = files.listFiles(new Path(path), true);
        while (found.hasNext()) {
            paths.add(found.next().getPath().toUri().getPath());
        }
        paths.sort(null);
        return paths;
    }
}
