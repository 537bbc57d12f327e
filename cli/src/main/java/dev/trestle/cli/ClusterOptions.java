package dev.trestle.cli;

import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.support.StageFailures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** How commands other than serve are told of a cluster: by the same options. */
final class ClusterOptions {
    private static final List<ServeOption> OPTIONS =
            List.of(ServeOption.HBASE_QUORUM, ServeOption.HBASE_NAMESPACE, ServeOption.HBASE_CONF);

    private ClusterOptions() {}

    static void addTo(CommandSpec command) {
        OPTIONS.forEach(option -> addTo(command, option));
    }

    /** Also where contents are, for a command that needs them. */
    static void addContentTo(CommandSpec command) {
        addTo(command, ServeOption.HBASE_CONTENT_DIR);
    }

    private static void addTo(CommandSpec command, ServeOption option) {
        command.addOption(OptionSpec.builder(option.flag())
                .type(String.class)
                .arity("1")
                .paramLabel(option.label().orElseThrow())
                .description(option.description().replace(" Needs --engine hbase, as the next three do.", ""))
                .build());
    }

    static Storage open(ParseResult given, Map<String, String> environment) {
        ClusterConfig cluster = new ClusterConfig(
                value(ServeOption.HBASE_QUORUM, given, environment),
                value(ServeOption.HBASE_CONF, given, environment).map(Path::of),
                value(ServeOption.HBASE_NAMESPACE, given, environment).orElseThrow(),
                value(ServeOption.HBASE_CONTENT_DIR, given, environment));
        return ServerProcess.openStorage(EngineName.HBASE, StorageConfig.in(cluster));
    }

    private static Optional<String> value(ServeOption option, ParseResult given, Map<String, String> environment) {
        return Optional.ofNullable(given.matchedOptionValue(option.flag(), environment.get(option.variable())))
                .or(option::defaultText);
    }

    /** What the stage completes with; it fails with the engine's own exception. */
    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            Throwable cause = StageFailures.cause(e);
            throw cause instanceof EngineException known
                    ? known
                    : new EngineException(EngineException.Kind.UNAVAILABLE, String.valueOf(cause), e);
        }
    }
}
