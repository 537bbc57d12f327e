package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.model.PublicAccess;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Operation.ConditionalPermission;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.testkit.GeneratedSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documents list the operations that are declared, and what they require. */
class OperationDocumentationTest {
    private static final Path DOCS = Path.of("../docs");

    @ParameterizedTest
    @EnumSource(Service.class)
    void permissions_are_documented(Service service) throws IOException {
        String rows = Operations.of(service).stream()
                .map(OperationDocumentationTest::row)
                .distinct()
                .collect(Collectors.joining("\n"));
        GeneratedSection.assertCurrent(
                DOCS.resolve("permissions.md"),
                "permissions of " + service.word() + "s",
                "| Operation | Account SAS: `srt` | `sp` | SAS over one resource: `sp` | Without credentials |\n"
                        + "| --- | --- | --- | --- | --- |\n" + rows);
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void names_in_metrics_and_logs_are_documented(Service service) throws IOException {
        String names = Operations.of(service).stream()
                .map(Operation::name)
                .distinct()
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        GeneratedSection.assertCurrent(
                DOCS.resolve("operations.md"),
                "operations of " + service.word() + "s",
                "| `service` | `operation` |\n| --- | --- |\n| `" + service.word() + "` | " + names + " |");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void the_compatibility_of_every_operation_is_documented(Service service) throws IOException {
        String page = Files.readString(DOCS.resolve("compatibility.md"));
        String words = normalized(page.replace("Get / Set ", "Get ") + page.replace("Get / Set ", "Set "));
        assertThat(Operations.of(service))
                .allSatisfy(operation -> assertThat(words).contains(normalized(operation.name())));
    }

    private static String normalized(String text) {
        return text.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private static String row(Operation<?, ?> operation) {
        Permission needed = operation.permission();
        boolean ofParts = needed.equals(Permission.OF_PARTS);
        List<String> cells = new ArrayList<>();
        cells.add(operation.name());
        if (ofParts) {
            cells.addAll(List.of("", "that of each operation in it", "that of each operation in it", ""));
        } else {
            cells.add(needed.isClosedToSas() || needed.isOpenToAnySas() ? "" : "`" + needed.resourceType() + "`");
            cells.add(letters(operation, false));
            cells.add(needed.resourceSas().isPresent() ? letters(operation, true) : "none");
            cells.add(anonymous(needed.anonymous()));
        }
        return cells.stream().map(cell -> " " + cell).collect(Collectors.joining(" |", "|", " |"));
    }

    private static String letters(Operation<?, ?> operation, boolean overResource) {
        Permission needed = operation.permission();
        if (needed.namedBearersOnly()) {
            return "none: only a bearer token that names its owner";
        }
        if (needed.isClosedToSas()) {
            return "none: only an account key or a bearer token";
        }
        String further = operation.conditionalPermissions().stream()
                .map(ConditionalPermission::permission)
                .flatMap(permission -> permission.letters().stream())
                .distinct()
                .map(letter -> "`" + letter + "`")
                .collect(Collectors.joining(", "));
        String own = needed.isOpenToAnySas()
                ? "any"
                : needed.letters().stream().map(set -> "`" + set + "`").collect(Collectors.joining(" or "));
        String snapshots = overResource && needed.inSnapshotSas() ? "; also over a snapshot" : "";
        return own + (further.isEmpty() ? "" : "; with tags also " + further) + snapshots;
    }

    private static String anonymous(PublicAccess access) {
        return switch (access) {
            case NONE -> "";
            case BLOB -> "public access `blob` or `container`";
            case CONTAINER -> "public access `container`";
        };
    }
}
