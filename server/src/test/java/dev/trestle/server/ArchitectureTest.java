package dev.trestle.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.trestle.testkit.ExecutorRule;
import org.junit.jupiter.api.Test;

/** The layers of this module, as the picture in ARCHITECTURE.md shows them; those between modules are Maven's. */
class ArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.trestle");

    @Test
    void the_server_is_layered() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.trestle.server..")
                .layer("wiring")
                .definedBy("dev.trestle.server")
                .layer("admin")
                .definedBy("dev.trestle.server.admin..")
                .layer("analytics")
                .definedBy("dev.trestle.server.analytics..")
                .layer("http")
                .definedBy("dev.trestle.server.http..")
                .layer("sockets")
                .definedBy("dev.trestle.server.sockets..")
                .layer("table")
                .definedBy("dev.trestle.server.table..")
                .layer("queue")
                .definedBy("dev.trestle.server.queue..")
                .layer("blob")
                .definedBy("dev.trestle.server.blob..")
                .layer("pipeline")
                .definedBy("dev.trestle.server.pipeline..")
                .layer("auth")
                .definedBy("dev.trestle.server.auth..")
                .layer("admission")
                .definedBy("dev.trestle.server.admission..")
                .layer("codec")
                .definedBy("dev.trestle.server.codec..")
                .whereLayer("wiring")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("admin")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("analytics")
                .mayOnlyBeAccessedByLayers("wiring", "admin")
                .whereLayer("http")
                .mayOnlyBeAccessedByLayers("wiring", "admin")
                .whereLayer("sockets")
                .mayOnlyBeAccessedByLayers("wiring", "admin", "http")
                .whereLayer("table")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("queue")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("blob")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("pipeline")
                .mayOnlyBeAccessedByLayers("wiring", "admin", "analytics", "http", "table", "queue", "blob")
                .whereLayer("auth")
                .mayOnlyBeAccessedByLayers("wiring", "analytics", "http", "table", "queue", "blob", "pipeline")
                .whereLayer("admission")
                .mayOnlyBeAccessedByLayers("wiring", "admin", "http", "table", "pipeline")
                .check(SERVER);
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
    void nothing_runs_on_the_common_pool() {
        ExecutorRule.check("dev.trestle.server");
    }

    @Test
    void packages_do_not_depend_on_each_other_in_circles() {
        slices().matching("dev.trestle.server.(**)").should().beFreeOfCycles().check(SERVER);
    }
}
