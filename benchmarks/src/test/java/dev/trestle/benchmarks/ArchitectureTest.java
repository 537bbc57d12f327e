package dev.trestle.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The walls between the packages of this module; those to the server are Maven's. */
class ArchitectureTest {
    private static final JavaClasses DRIVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.trestle.benchmarks");

    @Test
    void load_is_made_with_the_JDK_and_knows_no_library_of_a_server() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.benchmarks.load")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..", "org.rocksdb..", "com.fasterxml..")
                .check(DRIVER);
    }

    @Test
    void packages_do_not_depend_on_each_other_in_circles() {
        slices().matching("dev.trestle.(benchmarks..)")
                .should()
                .beFreeOfCycles()
                .check(DRIVER);
    }
}
