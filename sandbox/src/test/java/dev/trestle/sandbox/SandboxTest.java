package dev.trestle.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxTest {
    @TempDir
    Path folder;

    @Test
    void ports_are_kept_when_region_servers_are_added() {
        List<SandboxProcess> before = Sandbox.separate(folder, 1).processes();

        List<SandboxProcess> after = Sandbox.separate(folder, 3).processes();

        assertThat(after).hasSize(7).startsWith(before.toArray(SandboxProcess[]::new));
        assertThat(after).extracting(SandboxProcess::port).doesNotHaveDuplicates();
        assertThat(Sandbox.existing(folder).orElseThrow().processes()).isEqualTo(after);
    }

    @Test
    void a_sandbox_neither_shrinks_nor_changes_its_kind() {
        Sandbox.separate(folder, 2);

        assertThatThrownBy(() -> Sandbox.separate(folder, 1))
                .hasMessageContaining("has 2 region servers and can only grow");
        assertThatThrownBy(() -> Sandbox.oneJvm(folder, 2)).hasMessageContaining("has a process for each part");
    }

    @Test
    void another_process_with_the_same_number_is_not_taken_for_ours() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        PidFile file = new PidFile(folder.resolve("self.pid"));

        file.write(self);
        assertThat(file.find()).contains(self);

        Files.writeString(file.path(), self.pid() + " " + (PidFile.startMillis(self) - 60_000));
        assertThat(file.find()).isEmpty();
    }

    @Test
    void a_folder_may_have_any_name() throws IOException {
        Path data = folder.resolve("a <b> & c");

        Sandbox.oneJvm(data, 1);

        assertThat(data.resolve("conf/hbase-site.xml"))
                .content()
                .contains("<name>hbase.tmp.dir</name><value>" + folder + "/a &lt;b&gt; &amp; c/tmp</value>");
    }

    @Test
    void the_status_shows_what_runs_and_what_does_not() {
        assertThat(StatusTable.of(List.of(
                        new SandboxProcess(Role.MASTER, 1, 20001, OptionalLong.of(4711)),
                        new SandboxProcess(Role.REGION_SERVER, 2, 20002, OptionalLong.empty()))))
                .isEqualToNormalizingNewlines("""
                        PROCESS           PID       PORT    STATE
                        master            4711      20001   running
                        region-server-2   -         20002   not running
                        """);
    }
}
