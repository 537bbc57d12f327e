package dev.trestle.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * The rule that asynchronous work runs on threads that ARCHITECTURE.md lists: not on the common pool, and delayed by {@link
 * dev.trestle.engine.support.Timer} alone.
 */
public final class ExecutorRule {
    private static final Set<String> DELAYS = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");

    private ExecutorRule() {}

    /** Checks the main classes of some packages and of those below them. */
    public static void check(String... packages) {
        noClasses()
                .should()
                .callCodeUnitWhere(new UnnamedThread())
                .because("every thread has a name and a line in ARCHITECTURE.md")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(packages));
    }

    /** A call that leaves the choice of the thread to the JDK. */
    private static final class UnnamedThread extends DescribedPredicate<JavaCall<?>> {
        UnnamedThread() {
            super("the common pool or the JDK's timer runs the task");
        }

        @Override
        public boolean test(JavaCall<?> call) {
            String method = call.getTarget().getName();
            if (call.getTargetOwner().isAssignableTo(CompletionStage.class)) {
                return DELAYS.contains(method) || (method.endsWith("Async") && !namesExecutor(call));
            }
            return (call.getTargetOwner().isAssignableTo(ForkJoinPool.class) && method.equals("commonPool"))
                    || (call.getTargetOwner().isAssignableTo(Collection.class) && method.equals("parallelStream"));
        }

        private static boolean namesExecutor(JavaCall<?> call) {
            return call.getTarget().getRawParameterTypes().stream()
                    .anyMatch(type -> type.isEquivalentTo(Executor.class));
        }
    }
}
