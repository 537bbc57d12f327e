package dev.trestle.cli;

import dev.trestle.commandline.Version;
import dev.trestle.server.BlobConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * {@code trestle serve}. Each mixin is a group of options in the help, under its name. Options that few operators need are
 * hidden; {@code --help-expert} lists them. Descriptions are in {@code options.properties}.
 */
@Command(
        name = ServeCommand.NAME,
        description = "Serves until stopped by Ctrl-C or SIGTERM.",
        footer = {
            "",
            "Each option is also a key of the config file, without the leading dashes, and an environment variable:"
                    + " --table-port is table-port= and TRESTLE_TABLE_PORT. The command line wins over the environment,"
                    + " the environment over the file.",
            "The launcher script passes TRESTLE_JAVA_OPTS to Java."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class ServeCommand implements Callable<Integer> {
    static final String NAME = "serve";
    static final String HELP_EXPERT = "--help-expert";

    private static final String STANDARD_OPTIONS = "mixinStandardHelpOptions";

    private final Main.Server server;
    private final SettingsProvider settings;

    @Spec
    private CommandSpec spec;

    @Mixin(name = "Storage")
    private final StorageOptions storage = new StorageOptions();

    @Mixin(name = "HBase cluster, with --engine hbase")
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin(name = "Services and addresses")
    private final ServiceOptions services = new ServiceOptions();

    @Mixin(name = "Security")
    private final SecurityOptions security = new SecurityOptions();

    @Mixin(name = "Monitoring")
    private final MonitoringOptions monitoring = new MonitoringOptions();

    @Mixin(name = "Memory and limits")
    private final LimitOptions limits = new LimitOptions();

    @Option(names = "--config", paramLabel = "FILE")
    private Optional<String> config;

    @Option(names = HELP_EXPERT)
    private boolean helpExpert;

    private ServeCommand(Main.Server server, SettingsProvider settings) {
        this.server = server;
        this.settings = settings;
    }

    static CommandLine commandLine(Main.Server server, SettingsProvider settings) {
        CommandLine command = new CommandLine(new ServeCommand(server, settings));
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, ServeCommand::optionList);
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandLine command = spec.commandLine();
        if (helpExpert) {
            command.usage(command.getOut());
            return ExitCode.OK;
        }
        ParseResult given = command.getParseResult();
        settings.load(given, config);
        // Once more, because picocli reads defaults of switches before it has read the whole command line.
        List<String> arguments = given.originalArgs();
        command.setDefaultValueProvider(settings)
                .parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
        server.run(config());
        return ExitCode.OK;
    }

    private ServeConfig config() {
        boolean clustered = storage.engine == ServeConfig.EngineName.HBASE;
        if (!clustered) {
            cluster.refuse(settings);
        }
        return new ServeConfig(
                storage.data(settings),
                services.address,
                services.ports(!clustered || cluster.hasPlaceForContent()),
                security.accounts(),
                storage.durability,
                storage.engine,
                clustered ? Optional.of(cluster.cluster()) : Optional.empty(),
                security.tls(settings),
                security.allowDevelopmentKey,
                monitoring.logLevel,
                limits.memoryBytes,
                limits.http(),
                limits.engine(),
                monitoring.admin(services.isTablePortUsual()),
                monitoring.accessLog(settings),
                security.bearer(settings),
                security.bearerTenant(),
                new BlobConfig(services.publicAccess, services.rehydrationTime),
                services.transport);
    }

    /** Returns the options by the names of their groups. */
    static Map<String, List<OptionSpec>> optionGroups(CommandSpec command) {
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        command.mixins().forEach((name, mixin) -> groups.put(name, mixin.options()));
        groups.remove(STANDARD_OPTIONS);
        List<OptionSpec> general = new ArrayList<>(command.options());
        groups.values().forEach(general::removeAll);
        groups.put("General", general);
        return groups;
    }

    /** Formats the groups of options under headings. Options of picocli's own groups could be given twice. */
    private static String optionList(Help help) {
        boolean expert =
                Boolean.TRUE.equals(help.commandSpec().findOption(HELP_EXPERT).getValue());
        StringBuilder text = new StringBuilder();
        optionGroups(help.commandSpec()).forEach((name, options) -> {
            Help.Layout layout = help.createDefaultLayout();
            options.stream()
                    .filter(option -> expert || !option.hidden())
                    .forEach(option -> layout.addOption(option, help.parameterLabelRenderer()));
            text.append(System.lineSeparator())
                    .append(name)
                    .append(System.lineSeparator())
                    .append(layout);
        });
        return text.toString();
    }
}
