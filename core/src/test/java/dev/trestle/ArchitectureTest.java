package dev.trestle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import dev.trestle.engine.Engine;
import org.junit.jupiter.api.Test;

/** The dependencies between packages of this module. */
class ArchitectureTest {
    private static final String[] JDK = {"java..", "org.jspecify.annotations.."};
    private static final String CACHES = "com.github.benmanes.caffeine..";
    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(Engine.class.getProtectionDomain().getCodeSource().getLocation());

    private static void assertDependsOnlyOn(String subject, String... packages) {
        String[] allowed = new String[packages.length + JDK.length + 1];
        System.arraycopy(JDK, 0, allowed, 0, JDK.length);
        allowed[JDK.length] = "dev.trestle." + subject;
        for (int i = 0; i < packages.length; i++) {
            allowed[JDK.length + 1 + i] = packages[i].equals(CACHES) ? CACHES : "dev.trestle." + packages[i];
        }
        ClassesShouldConjunction rule = classes()
                .that()
                .resideInAPackage("dev.trestle." + subject)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed);
        rule.check(CORE);
    }

    @Test
    void the_model_depends_on_nothing() {
        assertDependsOnlyOn("model");
    }

    @Test
    void the_layout_of_bytes_knows_the_model_alone() {
        assertDependsOnlyOn("keyspace", "model");
    }

    @Test
    void filters_know_rows_and_the_model() {
        assertDependsOnlyOn("filter", "keyspace", "model");
    }

    @Test
    void the_planner_knows_neither_tables_nor_engines() {
        assertDependsOnlyOn("plan", "filter", "keyspace", "model");
    }

    @Test
    void planning_is_a_pure_function() {
        noClasses()
                .that()
                .resideInAPackage("dev.trestle.plan")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..",
                        "java.nio..",
                        "java.net..",
                        "java.time..",
                        "java.util.concurrent..",
                        "java.util.random..")
                .check(CORE);
    }

    @Test
    void the_engine_knows_neither_plans_nor_services() {
        assertDependsOnlyOn("engine", "filter", "keyspace", "model");
    }

    @Test
    void contents_as_files_know_the_engine_alone() {
        assertDependsOnlyOn("engine.content", "engine", "engine.support");
    }

    @Test
    void asynchronous_control_flow_knows_no_rows() {
        assertDependsOnlyOn("async", "engine.support", "model");
    }

    @Test
    void the_catalogue_stands_on_the_engine() {
        assertDependsOnlyOn(
                "catalogue", "async", "engine", "engine.support", "plan", "filter", "keyspace", "model", CACHES);
    }

    @Test
    void the_table_service_sees_neither_http_nor_json() {
        assertDependsOnlyOn("table", "catalogue", "engine", "plan", "filter", "keyspace", "model");
    }

    @Test
    void the_queue_service_sees_neither_http_nor_xml() {
        assertDependsOnlyOn(
                "queue", "async", "catalogue", "engine", "engine.support", "filter", "keyspace", "model", CACHES);
    }

    @Test
    void the_blob_service_sees_neither_http_nor_xml() {
        assertDependsOnlyOn(
                "blob", "async", "catalogue", "engine", "engine.support", "filter", "keyspace", "model", CACHES);
    }

    @Test
    void packages_do_not_depend_on_each_other_in_circles() {
        slices().matching("dev.trestle.(*)..").should().beFreeOfCycles().check(CORE);
    }
}
