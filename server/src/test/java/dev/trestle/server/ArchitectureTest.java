package dev.trestle.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.trestle.server.auth.QueryParameters;
import org.junit.jupiter.api.Test;

/** The walls between the packages of this module; those between modules are Maven's. */
class ArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.trestle");

    @Test
    void the_protocol_knows_neither_sockets_nor_services_nor_engines() {
        // Entities are written straight from the pages that an engine returns.
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.protocol")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.server.http",
                        "dev.trestle.table",
                        "dev.trestle.engine.*..",
                        "io.vertx..",
                        "io.netty..")
                .check(SERVER);
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.protocol")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.trestle.engine.Engine")
                .check(SERVER);
    }

    @Test
    void the_protocol_knows_of_authorization_only_how_queries_are_decoded() {
        DescribedPredicate<com.tngtech.archunit.core.domain.JavaClass> grants =
                resideInAPackage("dev.trestle.server.auth").and(DescribedPredicate.not(type(QueryParameters.class)));
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.protocol")
                .should()
                .dependOnClassesThat(grants)
                .check(SERVER);
    }

    @Test
    void authorization_knows_neither_the_protocol_nor_http() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.auth")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.server.http",
                        "dev.trestle.server.protocol",
                        "dev.trestle.table",
                        "dev.trestle.engine..",
                        "io.vertx..",
                        "io.netty..",
                        "com.fasterxml..")
                .check(SERVER);
    }

    @Test
    void tokens_are_checked_without_knowing_what_they_open() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.auth.jwt")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.trestle.server.auth",
                        "dev.trestle.server.http",
                        "dev.trestle.server.protocol",
                        "dev.trestle.engine..",
                        "io.vertx..",
                        "io.netty..")
                .check(SERVER);
    }

    @Test
    void http_knows_no_engine_in_particular() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.server.http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.trestle.engine.*..", "org.rocksdb..", "com.fasterxml..")
                .check(SERVER);
    }

    @Test
    void packages_do_not_depend_on_each_other_in_circles() {
        slices().matching("dev.trestle.server.(*)..").should().beFreeOfCycles().check(SERVER);
    }
}
