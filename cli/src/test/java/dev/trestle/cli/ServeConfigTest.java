package dev.trestle.cli;

import static dev.trestle.cli.TrestleCommand.assertRefused;
import static dev.trestle.cli.TrestleCommand.config;
import static dev.trestle.cli.TrestleCommand.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.cli.ServeConfig.Admin;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.cli.ServeConfig.LogLevel;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.TimeLimits;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the options mean, from each source they may come from. */
class ServeConfigTest extends ServeFiles {
    private static final String TENANT = "0b1b2b3b-4b5b-6b7b-8b9b-ab0b1b2b3b4b";
    private static final String KEY = "c2VjcmV0LW9uZQ==";
    private static final String OTHER_KEY = "c2VjcmV0LXR3bw==";

    @Test
    void defaults_serve_the_development_account_on_loopback_with_synced_data() {
        assertThat(config(List.of(), Map.of()))
                .isEqualTo(new ServeConfig(
                        Optional.of(Path.of("trestle-data")),
                        new ListenAddress("127.0.0.1", true, false),
                        Map.of(Service.TABLE, 10002, Service.QUEUE, 10001, Service.BLOB, 10000),
                        List.of(AccountKeys.DEVELOPMENT),
                        Durability.SYNCED,
                        EngineName.ROCKSDB,
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        LogLevel.INFO,
                        1L << 30,
                        HttpConfig.DEFAULT,
                        new EngineLimits(8192, 32L << 20, 1024, 1024, OptionalInt.empty(), OptionalInt.empty()),
                        Optional.of(new Admin(new ListenAddress("127.0.0.1", true, false), 10003)),
                        Optional.empty(),
                        Optional.empty(),
                        ServerConfig.NO_TENANT,
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO));
    }

    @Test
    void every_option_can_be_given_on_the_command_line() {
        List<String> arguments = new ArrayList<>();
        explicit().forEach((key, value) -> {
            arguments.add("--" + key);
            if (!value.equals("true")) {
                arguments.add(value);
            }
        });

        assertThat(config(arguments, Map.of())).isEqualTo(explicitConfig());
    }

    @Test
    void every_option_can_be_given_in_the_environment() {
        Map<String, String> environment = explicit().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> "TRESTLE_"
                                + entry.getKey().toUpperCase(Locale.ROOT).replace('-', '_'),
                        Map.Entry::getValue));

        assertThat(config(List.of(), environment)).isEqualTo(explicitConfig());
    }

    @Test
    void every_option_can_be_given_in_the_config_file() throws IOException {
        String[] lines = explicit().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);

        assertThat(config(List.of("--config", file(lines)), Map.of())).isEqualTo(explicitConfig());
    }

    @Test
    void the_explicit_mappings_cover_every_option_but_those_tested_apart() {
        assertThat(Stream.concat(
                        explicit().keySet().stream(),
                        Stream.of(
                                "in-memory",
                                "config",
                                "help",
                                "help-expert",
                                "version",
                                "hbase-quorum",
                                "hbase-namespace",
                                "hbase-conf",
                                "hbase-content-dir")))
                .containsExactlyInAnyOrderElementsOf(TrestleCommand.serve().options().stream()
                        .map(option -> option.longestName().substring(2))
                        .toList());
    }

    @Test
    void a_cluster_is_told_by_options_of_its_own_and_there_is_no_folder() {
        ServeConfig config = config(
                List.of(
                        "--engine=hbase",
                        "--hbase-quorum=zoo:2181",
                        "--hbase-namespace=mine",
                        "--hbase-conf=conf",
                        "--hbase-content-dir=/contents"),
                Map.of());
        assertThat(config.engine()).isEqualTo(EngineName.HBASE);
        assertThat(config.data()).isEmpty();
        assertThat(config.cluster())
                .hasValue(new ClusterConfig(
                        Optional.of("zoo:2181"), Optional.of(Path.of("conf")), "mine", Optional.of("/contents")));
        assertThat(config(List.of("--engine=hbase", "--hbase-quorum=zoo:2181"), Map.of())
                        .cluster())
                .hasValue(new ClusterConfig(Optional.of("zoo:2181"), Optional.empty(), "trestle", Optional.empty()));
    }

    @Test
    void in_memory_leaves_no_folder_from_any_source() throws IOException {
        assertThat(config(List.of("--in-memory"), Map.of()).data()).isEmpty();
        assertThat(config(List.of(), Map.of("TRESTLE_IN_MEMORY", "true")).data())
                .isEmpty();
        assertThat(config(List.of("--config", file("in-memory=true")), Map.of()).data())
                .isEmpty();
    }

    @Test
    void the_config_file_can_be_named_in_the_environment() throws IOException {
        assertThat(config(List.of(), Map.of("TRESTLE_CONFIG", file("table-port=7")))
                        .ports()
                        .get(Service.TABLE))
                .isEqualTo(7);
    }

    @Test
    void the_command_line_wins_over_the_environment_and_that_over_the_file() throws IOException {
        String file = file("table-port=1", "log-level=warn", "durability=buffered");
        Map<String, String> environment = Map.of("TRESTLE_TABLE_PORT", "2", "TRESTLE_LOG_LEVEL", "debug");

        ServeConfig config = config(List.of("--config", file, "--table-port", "3"), environment);

        assertThat(config.ports().get(Service.TABLE)).isEqualTo(3);
        assertThat(config.logLevel()).isEqualTo(LogLevel.DEBUG);
        assertThat(config.durability()).isEqualTo(Durability.BUFFERED);
    }

    @Test
    void a_bad_value_that_a_stronger_source_overrides_does_no_harm() {
        assertThat(config(List.of("--table-port=3"), Map.of("TRESTLE_TABLE_PORT", "x"))
                        .ports()
                        .get(Service.TABLE))
                .isEqualTo(3);
    }

    @Test
    void a_switch_of_the_environment_can_be_undone_on_the_command_line() {
        assertThat(config(List.of("--in-memory=false"), Map.of("TRESTLE_IN_MEMORY", "true"))
                        .data())
                .contains(Path.of("trestle-data"));
    }

    @Test
    void options_need_no_command_before_them() {
        assertThat(run(List.of("--table-port", "0"), Map.of()).config())
                .map(config -> config.ports().get(Service.TABLE))
                .contains(0);
    }

    @Test
    void several_accounts_come_from_repeated_options_or_a_list() {
        List<AccountKeys> two =
                List.of(new AccountKeys("one", List.of(KEY)), new AccountKeys("two", List.of(KEY, OTHER_KEY)));

        assertThat(config(List.of("--account", "one:" + KEY, "--account", "two:" + KEY + ":" + OTHER_KEY), Map.of())
                        .accounts())
                .isEqualTo(two);
        assertThat(config(List.of(), Map.of("TRESTLE_ACCOUNT", "one:" + KEY + ";two:" + KEY + ":" + OTHER_KEY))
                        .accounts())
                .isEqualTo(two);
    }

    @Test
    void azurite_accounts_are_taken_when_no_other_is_given() {
        Map<String, String> azurite = Map.of("AZURITE_ACCOUNTS", "one:" + KEY + ":" + OTHER_KEY + ";two:" + KEY + ";");

        assertThat(config(List.of(), azurite).accounts())
                .containsExactly(new AccountKeys("one", List.of(KEY, OTHER_KEY)), new AccountKeys("two", List.of(KEY)));
        assertThat(config(List.of("--account", "three:" + KEY), azurite).accounts())
                .containsExactly(new AccountKeys("three", List.of(KEY)));
    }

    @Test
    void the_configuration_prints_without_secrets() {
        assertThat(explicitConfig().toString())
                .contains("mine:***")
                .doesNotContain(KEY)
                .doesNotContain(OTHER_KEY);
    }

    @Test
    void refusals_are_explained_only_to_this_machine_under_the_development_key() {
        assertThat(server("--host", "127.0.0.1").explainRefusals()).isTrue();
        assertThat(server("--account", "mine:" + KEY).explainRefusals()).isFalse();
        assertThat(server("--host", "0.0.0.0", "--allow-development-key").explainRefusals())
                .isFalse();
    }

    @Test
    void the_server_is_told_host_port_and_tls() {
        ServerConfig server = server(
                "--host", "[::1]", "--table-port", "0", "--tls-cert", certificate + "", "--tls-key", privateKey + "");

        assertThat(server.host()).isEqualTo("::1");
        assertThat(server.ports().get(Service.TABLE)).isZero();
        assertThat(server.tls()).contains(new TlsFiles(certificate, privateKey));
    }

    @Test
    void the_server_is_told_whose_tokens_it_takes_and_by_default_takes_none() {
        assertThat(server().bearer()).isEmpty();
        assertThat(server("--bearer-keys", certificate + "", "--bearer-issuer", "i", "--bearer-audience", "a")
                        .bearer())
                .contains(new BearerConfig(certificate, "i", "a"));
    }

    @Test
    void the_tenant_of_the_challenge_is_the_one_given_or_that_of_the_issuer_or_none() {
        String issuer = "https://sts.windows.net/" + TENANT + "/";
        List<String> tokens = List.of("--bearer-keys", certificate + "", "--bearer-audience", "a", "--bearer-issuer");
        assertThat(server().bearerTenant()).hasToString("00000000-0000-0000-0000-000000000000");
        assertThat(server("--bearer-tenant", TENANT).bearerTenant()).hasToString(TENANT);
        assertThat(server(with(tokens, issuer)).bearerTenant()).hasToString(TENANT);
        assertThat(server(with(tokens, "https://login.example.org/")).bearerTenant())
                .isEqualTo(ServerConfig.NO_TENANT);
        String other = TENANT.replace('b', 'c');
        assertThat(server(with(tokens, issuer, "--bearer-tenant", other)).bearerTenant())
                .hasToString(other);
    }

    private static String[] with(List<String> options, String... more) {
        return Stream.concat(options.stream(), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void queues_are_on_a_free_port_if_the_tables_are_on_another_port_and_none_is_given() {
        assertThat(config(List.of("--table-port", "0"), Map.of()).ports())
                .isEqualTo(Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0));
        assertThat(config(List.of("--table-port", "8080", "--queue-port", "8081"), Map.of())
                        .ports())
                .isEqualTo(Map.of(Service.TABLE, 8080, Service.QUEUE, 8081, Service.BLOB, 0));
        assertThat(config(List.of("--services", "queue"), Map.of()).ports()).isEqualTo(Map.of(Service.QUEUE, 10001));
    }

    @Test
    void the_admin_port_is_any_free_one_when_the_tables_moved_and_none_when_off() {
        ListenAddress loopback = new ListenAddress("127.0.0.1", true, false);

        assertThat(config(List.of("--table-port", "0"), Map.of()).admin()).contains(new Admin(loopback, 0));
        assertThat(config(List.of("--table-port", "8080"), Map.of()).admin()).contains(new Admin(loopback, 0));
        assertThat(config(List.of("--table-port", "10002"), Map.of()).admin()).contains(new Admin(loopback, 10003));
        assertThat(config(List.of("--table-port", "0", "--admin-port", "7"), Map.of())
                        .admin())
                .contains(new Admin(loopback, 7));
        assertThat(config(List.of("--admin-port", "off"), Map.of()).admin()).isEmpty();
        assertThat(server("--admin-port", "off").admin()).isEmpty();
        assertThat(server("--admin-port", "7").admin())
                .contains(new AdminConfig("127.0.0.1", 7, OptionalLong.of(1L << 30)));
        assertRefused(
                "The value of --admin-port cannot be used: 'none' is not a number from 0 to 65535.",
                "--admin-port",
                "none");
    }

    @Test
    void the_targets_of_azure_are_taken_where_no_other_limit_is_given() {
        assertThat(server("--rehearse-azure").http().rateLimits())
                .isEqualTo(new RateLimits(OptionalInt.of(20_000), OptionalInt.of(2_000)));
        assertThat(server("--rehearse-azure", "--limit-partition-entities", "5")
                        .http()
                        .rateLimits())
                .isEqualTo(new RateLimits(OptionalInt.of(20_000), OptionalInt.of(5)));
    }

    @Test
    void blobs_are_served_from_a_cluster_only_where_there_is_a_place_for_them_or_they_are_asked_for() {
        assertThat(config(List.of("--engine=hbase", "--hbase-quorum=zoo:2181"), Map.of())
                        .ports())
                .containsOnlyKeys(Service.TABLE, Service.QUEUE);
        assertThat(config(
                                List.of("--engine=hbase", "--hbase-quorum=zoo:2181", "--hbase-content-dir=/contents"),
                                Map.of())
                        .ports())
                .containsKey(Service.BLOB);
        assertThat(config(List.of("--engine=hbase", "--hbase-quorum=zoo:2181", "--services=blob"), Map.of())
                        .ports())
                .containsOnlyKeys(Service.BLOB);
    }

    @Test
    void the_launchers_own_variable_is_known() {
        assertThat(config(List.of(), Map.of("TRESTLE_JAVA_OPTS", "-Xmx1g", "PATH", "/bin"))
                        .ports()
                        .get(Service.TABLE))
                .isEqualTo(10002);
    }

    /** Every option at a value that is not its default, save those that exclude another. */
    private Map<String, String> explicit() {
        Map<String, String> texts = new TreeMap<>();
        texts.put("data", "elsewhere/data");
        texts.put("host", "0.0.0.0");
        texts.put("table-port", "12345");
        texts.put("queue-port", "12344");
        texts.put("blob-port", "12343");
        texts.put("public-access", "true");
        texts.put("rehydration-time", "40");
        texts.put("services", "queue,blob");
        texts.put("account", "mine:" + KEY + ":" + OTHER_KEY);
        texts.put("durability", "buffered");
        texts.put("engine", "rocksdb");
        texts.put("tls-cert", certificate.toString());
        texts.put("tls-key", privateKey.toString());
        texts.put("bearer-keys", certificate.toString());
        texts.put("bearer-issuer", "https://sts.example.org/t/");
        texts.put("bearer-audience", "https://storage.example.org");
        texts.put("bearer-tenant", TENANT);
        texts.put("allow-development-key", "true");
        texts.put("admin-host", "::1");
        texts.put("admin-port", "12346");
        texts.put("access-log", "json");
        texts.put("access-log-file", "elsewhere/access.log");
        texts.put("memory", "3g");
        texts.put("transport", "epoll");
        texts.put("max-connections", "17");
        texts.put("max-connections-per-address", "7");
        texts.put("max-request-memory", "8m");
        texts.put("max-response-memory", "9m");
        texts.put("max-queued-commits", "12");
        texts.put("max-queued-scans", "14");
        texts.put("scan-threads", "16");
        texts.put("read-threads", "18");
        texts.put("body-timeout", "19");
        texts.put("request-timeout", "20");
        texts.put("response-timeout", "21");
        texts.put("idle-timeout", "22");
        texts.put("stop-timeout", "23");
        texts.put("limit-account-requests", "100");
        texts.put("limit-partition-entities", "10");
        texts.put("rehearse-azure", "true");
        texts.put("log-level", "trace");
        return texts;
    }

    private ServeConfig explicitConfig() {
        return new ServeConfig(
                Optional.of(Path.of("elsewhere/data")),
                new ListenAddress("0.0.0.0", false, true),
                Map.of(Service.QUEUE, 12344, Service.BLOB, 12343),
                List.of(new AccountKeys("mine", List.of(KEY, OTHER_KEY))),
                Durability.BUFFERED,
                EngineName.ROCKSDB,
                Optional.empty(),
                Optional.of(new TlsFiles(certificate, privateKey)),
                true,
                LogLevel.TRACE,
                3L << 30,
                new HttpConfig(
                        17,
                        7,
                        8L << 20,
                        9L << 20,
                        HttpLimits.REQUEST_LINE_BYTES_MAX,
                        HttpLimits.HEADERS_BYTES_MAX,
                        new TimeLimits(
                                Duration.ofSeconds(19),
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(21),
                                Duration.ofSeconds(22),
                                Duration.ofSeconds(23)),
                        new RateLimits(OptionalInt.of(100), OptionalInt.of(10))),
                new EngineLimits(12, 32L << 20, 14, 1024, OptionalInt.of(16), OptionalInt.of(18)),
                Optional.of(new Admin(new ListenAddress("::1", true, false), 12346)),
                Optional.of(new AccessLogConfig(AccessLogFormat.JSON, Optional.of(Path.of("elsewhere/access.log")))),
                Optional.of(new BearerConfig(certificate, "https://sts.example.org/t/", "https://storage.example.org")),
                UUID.fromString(TENANT),
                new BlobConfig(true, Duration.ofSeconds(40)),
                SocketTransport.EPOLL);
    }

    private static ServerConfig server(String... options) {
        return config(List.of(options), Map.of()).toServerConfig();
    }
}
