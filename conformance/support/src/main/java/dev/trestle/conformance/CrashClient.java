package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.EntityChange.Kind;
import dev.trestle.conformance.TableConnection.Entity;
import dev.trestle.conformance.TableConnection.Written;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A client that knows the expected state. It is the only writer of one partition of a common table, and of a table
 * that it repeatedly drops. So it knows the state of both, except for the one request that a kill left without a
 * response: that one may have been applied completely or not at all. Not thread-safe.
 */
final class CrashClient {
    private static final String COMMON_TABLE = "common";

    /** An ETag that no entity has. */
    private static final String STALE = "W/\"datetime'2001-01-01T00%3A00%3A00.0000000Z'\"";

    /** Few, so that most requests meet an entity that others have changed. */
    private static final List<String> SINGLE_ROWS =
            IntStream.range(0, 30).mapToObj(i -> "single" + i).toList();

    /** Always written together. */
    private static final List<String> JOINT_ROWS =
            IntStream.range(0, 100).mapToObj(i -> "joint" + i).toList();

    private static final int DIFFERENCES_SHOWN = 5;

    private final Random random;
    private final String partitionKey;
    private final String ownTable;
    private State known = new State(Map.of());
    private Optional<Step> unanswered = Optional.empty();
    private int steps;

    /** How long the last large transaction took, so that a kill can be somewhere within the next. */
    private long largeNanos = Duration.ofMillis(20).toNanos();

    private int acknowledged;

    CrashClient(int number, long seed) {
        random = new Random(seed);
        partitionKey = "client" + number;
        ownTable = "own" + number;
    }

    /** Returns the number of responses so far. */
    int acknowledged() {
        return acknowledged;
    }

    /** Entities by row key of those tables that exist, as far as this client is concerned; an unknown ETag is empty. */
    private record State(Map<String, Map<String, Entity>> tables) {
        Map<String, Entity> rows(String table) {
            return tables.getOrDefault(table, Map.of());
        }

        private State with(String table, Optional<Map<String, Entity>> rows) {
            Map<String, Map<String, Entity>> changed = new TreeMap<>(tables);
            changed.remove(table);
            rows.ifPresent(present -> changed.put(table, present));
            return new State(changed);
        }

        /** The state after the step, with the ETags of the responses. */
        State after(Step step, List<String> etags) {
            if (step.changes.isEmpty()) {
                return with(step.table, step.drops ? Optional.empty() : Optional.of(Map.of()));
            }
            Map<String, Entity> rows = new TreeMap<>(rows(step.table));
            for (int i = 0; i < step.changes.size(); i++) {
                EntityChange change = step.changes.get(i);
                Optional<Map<String, String>> before =
                        Optional.ofNullable(rows.get(change.rowKey())).map(Entity::properties);
                Optional<Map<String, String>> properties = change.applyTo(before);
                rows.remove(change.rowKey());
                if (properties.isPresent()) {
                    rows.put(change.rowKey(), new Entity(etags.isEmpty() ? "" : etags.get(i), properties.get()));
                }
            }
            return with(step.table, Optional.of(rows));
        }

        /** Whether this is the state that was found, except for ETags that are unknown here. */
        boolean agreesWith(State found) {
            return differences(found).isEmpty();
        }

        List<String> differences(State found) {
            List<String> differences = new ArrayList<>();
            if (!tables.keySet().equals(found.tables.keySet())) {
                differences.add("tables " + tables.keySet() + ", found " + found.tables.keySet());
            }
            for (String table : tables.keySet()) {
                Map<String, Entity> all = new TreeMap<>(rows(table));
                all.putAll(found.rows(table));
                for (String row : all.keySet()) {
                    Optional<Entity> expected = Optional.ofNullable(rows(table).get(row));
                    Optional<Entity> present =
                            Optional.ofNullable(found.rows(table).get(row));
                    boolean same = expected.isPresent() == present.isPresent()
                            && (expected.isEmpty() || agree(expected.get(), present.get()));
                    if (!same) {
                        differences.add(table + "/" + row + " is " + shown(present) + ", expected " + shown(expected));
                    }
                }
            }
            return differences;
        }

        private static boolean agree(Entity expected, Entity found) {
            return expected.properties().equals(found.properties())
                    && (expected.etag().isEmpty() || expected.etag().equals(found.etag()));
        }

        private static String shown(Optional<Entity> entity) {
            return entity.map(present -> "number " + present.properties().get("Number") + " with "
                            + (present.etag().isEmpty() ? "any ETag" : present.etag()))
                    .orElse("absent");
        }
    }

    /** A request: changes of entities, or the making or dropping of a table. */
    private record Step(String table, List<EntityChange> changes, boolean drops) {
        static Step of(String table, List<EntityChange> changes) {
            return new Step(table, List.copyOf(changes), false);
        }

        boolean isLarge() {
            return changes.size() >= JOINT_ROWS.size();
        }
    }

    /** Writes until the server is gone, and records the request that got no response. */
    void writeUntilKilled(TrestleProcess server, KillSwitch kill) {
        try (TableConnection connection = new TableConnection(server)) {
            while (true) {
                write(connection, next(kill), kill);
            }
        } catch (IOException killed) {
            // The way this ends.
        }
    }

    private void write(TableConnection connection, Step step, KillSwitch kill) throws IOException {
        unanswered = Optional.of(step);
        long start = System.nanoTime();
        if (step.changes.isEmpty()) {
            RawResponse answer = step.drops ? connection.deleteTable(step.table) : connection.createTable(step.table);
            assertThat(answer.status()).as(answer.text()).isEqualTo(204);
            known = known.after(step, List.of());
            if (step.drops) {
                kill.at(KillSwitch.Moment.AFTER_A_TABLE_IS_DROPPED);
            }
        } else {
            Written written = connection.write(step.table, step.changes, () -> {
                if (step.isLarge()) {
                    Duration delay = Duration.ofNanos(random.nextLong(largeNanos));
                    kill.after(delay, KillSwitch.Moment.DURING_A_LARGE_TRANSACTION);
                }
            });
            if (step.isLarge()) {
                largeNanos = System.nanoTime() - start;
            }
            int stale = IntStream.range(0, step.changes.size())
                    .filter(i -> step.changes.get(i).ifMatch().equals(Optional.of(STALE)))
                    .findFirst()
                    .orElse(-1);
            if (stale >= 0) {
                assertThat(written).isEqualTo(new Written(412, "UpdateConditionNotSatisfied", stale, List.of()));
            } else {
                assertThat(written.made()).as("%s of %s", written, step).isTrue();
                assertEtagsGrow(step, written.etags());
                known = known.after(step, written.etags());
            }
        }
        unanswered = Optional.empty();
        acknowledged++;
        kill.acknowledged();
    }

    private void assertEtagsGrow(Step step, List<String> etags) {
        for (int i = 0; i < etags.size(); i++) {
            Entity before = known.rows(step.table).get(step.changes.get(i).rowKey());
            if (before != null && !etags.get(i).isEmpty()) {
                // They name times of equal length, so that texts sort as times do.
                assertThat(etags.get(i)).as("%s", step).isGreaterThan(before.etag());
            }
        }
    }

    private Step next(KillSwitch kill) {
        steps++;
        if (!known.tables.containsKey(COMMON_TABLE)) {
            throw new AssertionError("verify makes the common table before anything is written");
        }
        int choice = random.nextInt(100);
        if (kill.awaits(KillSwitch.Moment.AFTER_A_TABLE_IS_DROPPED) || choice < 8) {
            return ownTableStep();
        }
        if (kill.awaits(KillSwitch.Moment.DURING_A_LARGE_TRANSACTION) || choice < 14) {
            return Step.of(
                    COMMON_TABLE,
                    JOINT_ROWS.stream()
                            .map(row -> change(Kind.REPLACE, row, Optional.empty()))
                            .toList());
        }
        List<String> rows = new ArrayList<>(SINGLE_ROWS);
        Collections.shuffle(rows, random);
        int size = choice < 30 ? 2 + random.nextInt(9) : 1;
        return Step.of(
                COMMON_TABLE,
                rows.subList(0, size).stream().map(this::anyChange).toList());
    }

    /** Makes the table, fills it, drops it. */
    private Step ownTableStep() {
        if (!known.tables.containsKey(ownTable)) {
            return new Step(ownTable, List.of(), false);
        }
        Map<String, Entity> rows = known.rows(ownTable);
        if (rows.isEmpty()) {
            int size = 1 + random.nextInt(50);
            return Step.of(
                    ownTable,
                    IntStream.range(0, size)
                            .mapToObj(i -> change(Kind.INSERT, "row" + i, Optional.empty()))
                            .toList());
        }
        return new Step(ownTable, List.of(), true);
    }

    private EntityChange anyChange(String row) {
        Entity entity = known.rows(COMMON_TABLE).get(row);
        int choice = random.nextInt(100);
        if (entity == null) {
            return choice < 70
                    ? change(Kind.INSERT, row, Optional.empty())
                    : change(choice < 85 ? Kind.REPLACE : Kind.MERGE, row, Optional.empty());
        }
        Kind kind = choice < 40 ? Kind.MERGE : choice < 70 ? Kind.REPLACE : Kind.DELETE;
        int condition = random.nextInt(100);
        if (condition < 75) {
            return change(kind, row, Optional.of(entity.etag()));
        }
        if (condition < 80) {
            return change(kind, row, Optional.of(STALE));
        }
        return change(kind, row, condition < 90 || kind == Kind.DELETE ? Optional.of("*") : Optional.empty());
    }

    private EntityChange change(Kind kind, String row, Optional<String> ifMatch) {
        Map<String, String> properties = new HashMap<>();
        properties.put("Number", Integer.toString(steps));
        properties.put("Only" + random.nextInt(3), Integer.toString(steps));
        properties.put("Filler", "x".repeat(random.nextInt(random.nextInt(10) == 0 ? 5000 : 200)));
        return new EntityChange(kind, partitionKey, row, ifMatch, properties);
    }

    /**
     * Compares the expected state with that of a server, and records the outcome of the request without a
     * response.
     */
    void verify(TrestleProcess server) throws IOException {
        try (TableConnection connection = new TableConnection(server)) {
            if (known.tables.isEmpty() && unanswered.isEmpty()) {
                int status = connection.createTable(COMMON_TABLE).status();
                assertThat(status).as("another client may have made it").isIn(204, 409);
                known = known.with(COMMON_TABLE, Optional.of(Map.of()));
            }
            State found = found(connection);
            Optional<State> after = unanswered.map(step -> known.after(step, List.of()));
            if (!known.agreesWith(found)
                    && !after.map(state -> state.agreesWith(found)).orElse(false)) {
                throw new AssertionError(partitionKey + " did not find what was acknowledged: "
                        + shown(known.differences(found))
                        + after.map(state -> "\nnor that with the unanswered request carried out: "
                                        + shown(state.differences(found)))
                                .orElse(""));
            }
            assertPointReadsAgree(connection, found);
            known = found;
            unanswered = Optional.empty();
        }
    }

    private static String shown(List<String> differences) {
        int more = differences.size() - DIFFERENCES_SHOWN;
        return String.join("; ", differences.subList(0, Math.min(differences.size(), DIFFERENCES_SHOWN)))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    private State found(TableConnection connection) throws IOException {
        State found = new State(Map.of());
        for (String table : List.of(COMMON_TABLE, ownTable)) {
            // Small pages, so that there are several.
            found = found.with(table, connection.query(table, partitionKey, 40));
        }
        return found;
    }

    private void assertPointReadsAgree(TableConnection connection, State found) throws IOException {
        List<String> joint = new ArrayList<>(JOINT_ROWS);
        Collections.shuffle(joint, random);
        List<String> rows = new ArrayList<>(SINGLE_ROWS);
        rows.addAll(joint.subList(0, 10));
        for (String row : rows) {
            assertThat(connection.read(COMMON_TABLE, partitionKey, row))
                    .as(row)
                    .isEqualTo(Optional.ofNullable(found.rows(COMMON_TABLE).get(row)));
        }
    }
}
