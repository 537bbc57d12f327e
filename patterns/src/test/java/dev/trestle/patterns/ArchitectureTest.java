package dev.trestle.patterns;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The allowed dependencies between the packages of this module. */
class ArchitectureTest {
    private static final JavaClasses PATTERNS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.trestle.patterns");

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.trestle.patterns.(*)..")
                .should()
                .beFreeOfCycles()
                .check(PATTERNS);
    }

    @Test
    void mapping_asking_and_advising_talk_to_no_service() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.trestle.patterns.entity..",
                        "dev.trestle.patterns.query..",
                        "dev.trestle.patterns.crypto..",
                        "dev.trestle.patterns.access..",
                        "dev.trestle.patterns.design..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("com\\.azure\\.data\\.tables\\.Table(Async)?Client.*")
                .check(PATTERNS);
    }

    @Test
    void nothing_here_knows_the_server() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.patterns..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.trestle.server..", "dev.trestle.model..", "dev.trestle.engine..")
                .check(PATTERNS);
    }
}
