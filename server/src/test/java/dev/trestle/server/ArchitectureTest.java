package dev.trestle.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import dev.trestle.testkit.ExecutorRule;
import dev.trestle.testkit.GeneratedSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The layers of this module, which ARCHITECTURE.md lists; Maven separates the modules. */
class ArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.trestle");

    private static final List<Layer> LAYERS = List.of(
            new Layer("wiring", "dev.trestle.server", "creates and connects everything", "TrestleServer"),
            new Layer(
                    "admin",
                    "dev.trestle.server.admin",
                    "health, metrics, scrubs, access log",
                    "AdminServer",
                    "wiring"),
            new Layer(
                    "analytics",
                    "dev.trestle.server.analytics",
                    "Storage Analytics: `$logs` and `$Metrics...`",
                    "Analytics",
                    "wiring",
                    "admin"),
            new Layer(
                    "http",
                    "dev.trestle.server.http",
                    "connections, bodies in and out, writing of responses",
                    "HttpFrontEnd",
                    "wiring",
                    "admin"),
            new Layer(
                    "sockets",
                    "dev.trestle.server.sockets",
                    "I/O transports; all code below the public API of Vert.x",
                    "SocketTransport",
                    "wiring",
                    "admin",
                    "http"),
            new Layer(
                    "table",
                    "dev.trestle.server.table",
                    "operations of the Table service, OData codecs",
                    "TableOperations",
                    "wiring"),
            new Layer(
                    "queue",
                    "dev.trestle.server.queue",
                    "operations of the Queue service",
                    "QueueOperations",
                    "wiring"),
            new Layer("blob", "dev.trestle.server.blob", "operations of the Blob service", "BlobOperations", "wiring"),
            new Layer(
                    "pipeline",
                    "dev.trestle.server.pipeline",
                    "the steps of every request; what an operation is",
                    "RequestPipeline",
                    "wiring",
                    "admin",
                    "analytics",
                    "http",
                    "table",
                    "queue",
                    "blob"),
            new Layer(
                    "auth",
                    "dev.trestle.server.auth",
                    "credentials to a grant; bearer tokens in `jwt`",
                    "Authenticator",
                    "wiring",
                    "analytics",
                    "http",
                    "table",
                    "queue",
                    "blob",
                    "pipeline"),
            new Layer(
                    "admission",
                    "dev.trestle.server.admission",
                    "admission control and rate limits",
                    "ServerLoad",
                    "wiring",
                    "admin",
                    "http",
                    "table",
                    "pipeline"),
            new Layer(
                    "codec",
                    "dev.trestle.server.codec",
                    "codecs that services share: query, XML, multipart, buffers",
                    "WireBuffer",
                    "admin",
                    "analytics",
                    "http",
                    "table",
                    "queue",
                    "blob",
                    "pipeline",
                    "auth"));

    /** A layer: a package with those below it, and the only layers that may use it. */
    private record Layer(String name, String packageName, String purpose, String entryType, String... usedBy) {
        String packages() {
            // The wiring is in the root package, which contains the others.
            return name.equals("wiring") ? packageName : packageName + "..";
        }

        String row() {
            String users = usedBy.length == 0 ? "none" : String.join(", ", usedBy);
            return "| " + name + " | `" + packageName.substring("dev.trestle.".length()) + "` | " + purpose + " | `"
                    + entryType + "` | " + users + " |";
        }
    }

    @Test
    void the_server_is_layered() {
        LayeredArchitecture layers =
                layeredArchitecture().consideringOnlyDependenciesInAnyPackage("dev.trestle.server..");
        for (Layer layer : LAYERS) {
            layers = layers.layer(layer.name()).definedBy(layer.packages());
        }
        for (Layer layer : LAYERS) {
            layers = layer.usedBy().length == 0
                    ? layers.whereLayer(layer.name()).mayNotBeAccessedByAnyLayer()
                    : layers.whereLayer(layer.name()).mayOnlyBeAccessedByLayers(layer.usedBy());
        }
        layers.check(SERVER);
    }

    @Test
    void every_package_is_in_a_layer_with_its_entry_type() {
        Set<String> inLayers = LAYERS.stream()
                .map(layer -> layer.packageName() + "." + layer.entryType())
                .collect(Collectors.toSet());
        assertThat(SERVER.stream().map(JavaClass::getName)).containsAll(inLayers);
        classes()
                .that()
                .resideInAPackage("dev.trestle.server..")
                .should()
                .resideInAnyPackage(LAYERS.stream().map(Layer::packages).toArray(String[]::new))
                .check(SERVER);
    }

    @Test
    void the_layers_are_documented() throws IOException {
        GeneratedSection.assertCurrent(
                Path.of("../ARCHITECTURE.md"),
                "layers of the server",
                "| Layer | Package | Purpose | Entry type | Used by |\n| --- | --- | --- | --- | --- |\n"
                        + LAYERS.stream().map(Layer::row).collect(Collectors.joining("\n")));
    }

    @Test
    void codecs_know_neither_requests_nor_services_nor_sockets() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.trestle.server.codec..", "dev.trestle.server.table.json..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.server.pipeline..",
                        "dev.trestle.server.auth..",
                        "dev.trestle.table..",
                        "dev.trestle.queue..",
                        "dev.trestle.blob..",
                        "io.vertx..",
                        "io.netty..")
                .check(SERVER);
    }

    @Test
    void authorization_knows_neither_entities_nor_sockets() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.auth")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.table..", "dev.trestle.engine..", "io.vertx..", "io.netty..", "com.fasterxml..")
                .check(SERVER);
    }

    @Test
    void tokens_are_checked_without_knowing_what_they_open() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.auth.jwt")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.trestle.server.auth", "dev.trestle.engine..", "io.vertx..", "io.netty..")
                .check(SERVER);
    }

    @Test
    void services_and_transport_know_no_engine_in_particular() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.trestle.server.http..",
                        "dev.trestle.server.pipeline..",
                        "dev.trestle.server.table..",
                        "dev.trestle.server.queue..",
                        "dev.trestle.server.blob..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.engine.rocksdb..",
                        "dev.trestle.engine.hbase..",
                        "dev.trestle.engine.files..",
                        "dev.trestle.engine.content..",
                        "org.rocksdb..")
                .check(SERVER);
    }

    @Test
    void only_one_class_reaches_below_the_public_interface_of_vertx() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.trestle.server.sockets.VertxInternals")
                .and()
                .haveNameNotMatching("dev\\.trestle\\.server\\.sockets\\.VertxInternals\\$.*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..impl..", "io.vertx..internal..")
                .check(SERVER);
    }

    @Test
    void only_the_transport_reaches_channels() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.trestle.server.sockets")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.netty.channel.Channel")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.netty.channel.ChannelPipeline")
                .check(SERVER);
    }

    @Test
    void nothing_runs_on_the_common_pool() {
        ExecutorRule.check("dev.trestle.server");
    }

    @Test
    void packages_do_not_depend_on_each_other_in_circles() {
        slices().matching("dev.trestle.server.(**)").should().beFreeOfCycles().check(SERVER);
    }
}
