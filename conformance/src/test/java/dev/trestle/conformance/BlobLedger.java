package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The expected blobs of one container: the acknowledged writes, and all possible outcomes of requests that a kill
 * left without a response. Keeps checksums of contents. Thread-safe if each blob has one writer and no client
 * writes during the comparison with a server.
 */
final class BlobLedger {
    /** In place of the checksum: there is no such blob. */
    private static final String NONE = "none";

    /** The possible checksums of each blob, the last acknowledged one first. */
    private final Map<String, List<String>> blobs = new ConcurrentHashMap<>();

    private final Map<String, String> snapshots = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> blocks = new ConcurrentHashMap<>();
    private final Set<String> linesSent = ConcurrentHashMap.newKeySet();
    private final Set<String> linesKept = ConcurrentHashMap.newKeySet();

    /** The log as it was found last, which only grows by lines that were sent after that. */
    private String log = "";

    private final Set<String> linesGone = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger deletions = new AtomicInteger();

    boolean has(String blob) {
        return !known(blob).get(0).equals(NONE);
    }

    private List<String> known(String blob) {
        return blobs.getOrDefault(blob, List.of(NONE));
    }

    void writing(String blob, byte[] content) {
        blobs.put(blob, List.of(known(blob).get(0), checksum(content)));
    }

    void written(String blob) {
        blobs.put(blob, List.of(known(blob).get(1)));
    }

    void deleting(String blob) {
        blobs.put(blob, List.of(known(blob).get(0), NONE));
    }

    void deleted(String blob) {
        blobs.put(blob, List.of(NONE));
        forgetSnapshots(blob);
        deletions.incrementAndGet();
    }

    private void forgetSnapshots(String blob) {
        snapshots.keySet().removeIf(address -> address.startsWith(blob + "?"));
    }

    /** A snapshot without a response needs no entry: no client knows its time. */
    void snapshotting(String blob) {
        assertThat(has(blob)).isTrue();
    }

    void snapshotted(String blob, String time) {
        snapshots.put(blob + "?snapshot=" + time, known(blob).get(0));
    }

    void staged(String blob, String block) {
        blocks.computeIfAbsent(blob, name -> ConcurrentHashMap.newKeySet()).add(block);
    }

    /** Records that a unique line is about to be appended. */
    String newLine(int writer, int length) {
        String line = "writer " + writer + " line " + lines.incrementAndGet() + " " + "x".repeat(length) + " end";
        linesSent.add(line);
        return line;
    }

    void appended(String line) {
        linesKept.add(line);
    }

    /** Compares the expected blobs with those of a server, and records the outcomes that were unknown. */
    void verify(BlobConnection server) throws IOException {
        for (String blob : List.copyOf(blobs.keySet())) {
            boolean mayBeDeleted = known(blob).contains(NONE);
            String found = find(server, blob);
            assertThat(known(blob)).as("what %s may be", blob).contains(found);
            if (mayBeDeleted && found.equals(NONE)) {
                forgetSnapshots(blob);
            }
            blobs.put(blob, List.of(found));
        }
        for (Map.Entry<String, String> snapshot : snapshots.entrySet()) {
            assertThat(find(server, snapshot.getKey())).as(snapshot.getKey()).isEqualTo(snapshot.getValue());
        }
        for (Map.Entry<String, Set<String>> staged : blocks.entrySet()) {
            assertThat(server.uncommitted(staged.getKey())).containsAll(staged.getValue());
        }
        Set<String> there = blobs.keySet().stream().filter(this::has).collect(Collectors.toSet());
        List<String> listed = new ArrayList<>(server.names(""));
        listed.remove(BlobWriter.LOG);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(there);
        verifyLog(server);
    }

    private void verifyLog(BlobConnection server) throws IOException {
        RawResponse log = server.get(BlobWriter.LOG);
        if (log.status() == 404) {
            assertThat(linesKept).isEmpty();
            return;
        }
        assertThat(log.body())
                .satisfiesAnyOf(
                        text -> assertThat(text).isEmpty(),
                        text -> assertThat(text).endsWith("\n"));
        List<String> found = log.body().lines().toList();
        assertThat(found).doesNotHaveDuplicates();
        assertThat(linesSent.containsAll(found)).as("only whole lines").isTrue();
        assertThat(Set.copyOf(found).containsAll(linesKept)).as("no line lost").isTrue();
        assertThat(log.body().startsWith(this.log)).as("what was read stays").isTrue();
        assertThat(found).as("a line that a reader did not find never comes").noneMatch(linesGone::contains);
        linesGone.addAll(linesSent);
        found.forEach(linesGone::remove);
        String line = newLine(-1, 0);
        int status = server.appendTo(
                BlobWriter.LOG,
                log.header("ETag").orElseThrow(),
                log.body().length(),
                (line + "\n").getBytes(StandardCharsets.US_ASCII));
        assertThat(status).as("an append to the log as it was read").isEqualTo(201);
        appended(line);
        this.log = log.body() + line + "\n";
        assertThat(server.get(BlobWriter.LOG).body()).isEqualTo(this.log);
    }

    /** That there was something to be lost. */
    void assertMuchWasDone() {
        assertThat(blobs.keySet()).anyMatch(this::has);
        assertThat(snapshots).isNotEmpty();
        assertThat(blocks).isNotEmpty();
        assertThat(linesKept).isNotEmpty();
        assertThat(deletions).hasPositiveValue();
    }

    private static String find(BlobConnection server, String blob) throws IOException {
        RawResponse answer = server.get(blob);
        assertThat(answer.status()).as(answer.statusLine()).isIn(200, 404);
        return answer.status() == 404 ? NONE : checksum(answer.body().getBytes(StandardCharsets.US_ASCII));
    }

    private static String checksum(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return content.length + " bytes " + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
