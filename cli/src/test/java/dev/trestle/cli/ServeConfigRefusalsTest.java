package dev.trestle.cli;

import static dev.trestle.cli.TrestleCommand.assertRefused;
import static dev.trestle.cli.TrestleCommand.config;
import static dev.trestle.cli.TrestleCommand.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.catalogue.Service;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.cli.ServeConfig.LogLevel;
import dev.trestle.cli.TrestleCommand.Run;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** Which options are refused, and with which sentence. */
class ServeConfigRefusalsTest extends ServeFiles {
    private static final String KEY = "c2VjcmV0LW9uZQ==";
    private static final String OTHER_KEY = "c2VjcmV0LXR3bw==";

    @Test
    void options_that_make_no_sense_beside_the_engine_are_refused() {
        assertRefused("--hbase-quorum needs --engine hbase beside it.", "--hbase-quorum", "zoo:2181");
        assertRefused(
                "--data and --engine hbase contradict each other: the data are in the cluster. Give only one of them.",
                "--engine",
                "hbase",
                "--data",
                "folder");
    }

    @Test
    void bad_limits_are_refused() {
        assertRefused(
                "The value of --max-connections cannot be used: '0' is not a number from 1 to 2147483647.",
                "--max-connections",
                "0");
        assertRefused(
                "The value of --limit-account-requests cannot be used: 'many' is not a number from 1 to 2147483647.",
                "--limit-account-requests",
                "many");
        assertRefused(
                "The value of --max-request-memory cannot be used: '64' is not a size, such as 512k, 64m or 1g.",
                "--max-request-memory",
                "64");
        assertRefused(
                "The value of --idle-timeout cannot be used: '2m' is not a number from 1 to 2147483647.",
                "--idle-timeout",
                "2m");
    }

    @Test
    void a_file_without_a_log_is_refused() {
        assertRefused(
                "--access-log-file needs --access-log text or json beside it.", "--access-log-file", "access.log");
        assertThat(config(List.of("--access-log", "text"), Map.of()).accessLog())
                .contains(new AccessLogConfig(AccessLogFormat.TEXT, Optional.empty()));
    }

    @Test
    void the_development_key_is_refused_where_others_can_reach_it() {
        String sentence = "The well-known development key would open this server to everybody who can reach 0.0.0.0;"
                + " give an account of your own with --account NAME:KEY, or listen on 127.0.0.1, or accept the risk"
                + " with --allow-development-key.";

        assertRefused(sentence, "--host", "0.0.0.0");
        assertRefused(
                sentence,
                "--host",
                "0.0.0.0",
                "--account",
                "mine:" + KEY + ":" + AccountKeys.DEVELOPMENT.keys().get(0));
        assertThat(config(List.of("--host", "0.0.0.0", "--allow-development-key"), Map.of())
                        .allowDevelopmentKey())
                .isTrue();
        assertThat(config(List.of("--host", "0.0.0.0", "--account", "mine:" + KEY), Map.of())
                        .address()
                        .loopback())
                .isFalse();
    }

    @Test
    void contradictions_are_refused() throws IOException {
        assertRefused(
                "--in-memory and --data contradict each other; give only one of them.", "--in-memory", "--data", "d");
        String file = file("data=d");
        assertRefused(
                "--in-memory and data in " + file + " contradict each other; give only one of them.",
                "--in-memory",
                "--config",
                file);
        assertRefused("--tls-cert needs --tls-key beside it.", "--tls-cert", certificate + "");
        assertRefused("--tls-key needs --tls-cert beside it.", "--tls-key", privateKey + "");
        assertRefused("--bearer-keys needs --bearer-issuer beside it.", "--bearer-keys", certificate + "");
        assertRefused("--bearer-issuer needs --bearer-keys beside it.", "--bearer-issuer", "i");
        assertRefused(
                "--bearer-keys needs --bearer-audience beside it.",
                "--bearer-issuer",
                "i",
                "--bearer-keys",
                certificate + "");
    }

    @Test
    void bad_values_are_refused_by_what_would_be_good() {
        assertRefused(
                "The value of --services cannot be used: 'blobs' is none of table, queue, blob.",
                "--services",
                "table,blobs");
        assertRefused(
                "The value of --table-port cannot be used: 'x' is not a number from 0 to 65535.", "--table-port", "x");
        assertRefused(
                "The value of --table-port cannot be used: '65536' is not a number from 0 to 65535.",
                "--table-port",
                "65536");
        assertRefused(
                "The value of --durability cannot be used: 'fast' is not synced or buffered.", "--durability", "fast");
        assertRefused("The value of --engine cannot be used: 'sqlite' is not rocksdb or hbase.", "--engine", "sqlite");
        assertRefused(
                "The value of --log-level cannot be used: 'all' is not error or warn or info or debug or trace.",
                "--log-level",
                "all");
        assertRefused("The value of --in-memory cannot be used: 'yes' is not a boolean.", "--in-memory=yes");
        assertRefused("The value of --data cannot be used: it is empty.", "--data", "");
        assertRefused(
                "The value of --host cannot be used: it is empty; give an address such as 127.0.0.1.", "--host", "");
        assertRefused("The value of --host cannot be used: no address is known for '1.2.3.x!'.", "--host", "1.2.3.x!");
        assertRefused("The value of --bearer-issuer cannot be used: it is empty.", "--bearer-issuer", " ");
        assertRefused(
                "The value of --bearer-tenant cannot be used: 'common' is not a GUID, such as"
                        + " 01234567-89ab-cdef-0123-456789abcdef.",
                "--bearer-tenant",
                "common");
        assertRefused(
                "The value of --bearer-keys cannot be used: there is no file missing.json that can be read.",
                "--bearer-keys",
                "missing.json");
        assertRefused(
                "The value of --tls-cert cannot be used: there is no file missing.pem that can be read.",
                "--tls-cert",
                "missing.pem",
                "--tls-key",
                privateKey + "");
    }

    @Test
    void switches_come_from_the_strongest_source_wherever_the_config_file_is_named() throws IOException {
        String file = file("in-memory=false", "rehearse-azure=true");
        assertThat(config(List.of("--in-memory", "--config", file), Map.of("TRESTLE_REHEARSE_AZURE", "false")))
                .isEqualTo(config(List.of("--in-memory"), Map.of()));
        assertThat(config(List.of("--in-memory"), Map.of("TRESTLE_IN_MEMORY", "nonsense")))
                .isEqualTo(config(List.of("--in-memory"), Map.of()));
        assertThat(run(List.of("serve", "--in-memory=yes"), Map.of("TRESTLE_IN_MEMORY", "true"))
                        .err())
                .startsWith("The value of --in-memory cannot be used: ");
    }

    @Test
    void a_bad_value_is_blamed_on_its_source() throws IOException {
        assertThat(run(List.of("serve"), Map.of("TRESTLE_TABLE_PORT", "x")).err())
                .startsWith("The value of TRESTLE_TABLE_PORT cannot be used: ");
        String file = file("table-port=x");
        assertThat(run(List.of("serve", "--config", file), Map.of()).err())
                .startsWith("The value of table-port in " + file + " cannot be used: ");
    }

    @Test
    void bad_accounts_are_refused_without_repeating_a_key() {
        assertRefused(
                "The value of --account cannot be used: account mine needs one key or two, as NAME:KEY or"
                        + " NAME:KEY:KEY2.",
                "--account",
                "mine");
        assertRefused(
                "The value of --account cannot be used: account mine needs one key or two, as NAME:KEY or"
                        + " NAME:KEY:KEY2.",
                "--account",
                "mine:" + KEY + ":" + KEY + ":" + KEY);
        assertRefused(
                "The value of --account cannot be used: a key of account mine is not Base64 text.",
                "--account",
                "mine:n0t-base64!");
        assertRefused(
                "The value of --account cannot be used: an account name has 3 to 24 lower-case letters and digits.",
                "--account",
                "Mine:" + KEY);
        assertRefused(
                "The account mine is given twice; give both its keys at once, as NAME:KEY:KEY2.",
                "--account",
                "mine:" + KEY,
                "--account",
                "mine:" + OTHER_KEY);
        assertRefused("No account is given; give one with --account NAME:KEY.", "--account", ";");
    }

    @Test
    void unknown_names_are_refused_with_the_nearest_known_one() throws IOException {
        assertRefused("The option --tabel-port is unknown; the nearest known one is --table-port.", "--tabel-port=1");
        assertThat(run(List.of("serve"), Map.of("TRESTLE_TABEL_PORT", "1")).err())
                .isEqualTo("The environment variable TRESTLE_TABEL_PORT is unknown to Trestle; the nearest known one is"
                        + " TRESTLE_TABLE_PORT.");
        assertThat(run(List.of("serve"), Map.of("TRESTLE_TLS", "1")).err())
                .endsWith("the nearest known one is TRESTLE_TLS_KEY.");
        String file = file("tabel-port=1");
        assertRefused(
                "The key 'tabel-port' in " + file + " is unknown to Trestle; the nearest known one is table-port.",
                "--config",
                file);
        Run run = run(List.of("srve"), Map.of());
        assertThat(run.err()).isEqualTo("There is no command srve; the nearest known one is serve.");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_stray_argument_is_refused_and_not_repeated() {
        Run run = run(List.of("serve", "--account", "mine:" + KEY, OTHER_KEY), Map.of());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo("The serve command takes only options, and one argument is not an option; see trestle serve"
                        + " --help.");
    }

    @Test
    void an_argument_that_is_not_like_a_command_is_refused_and_not_repeated() {
        assertThat(run(List.of(OTHER_KEY), Map.of()).err()).isEqualTo("There is no such command; see trestle --help.");
        assertThat(run(List.of("partitions", OTHER_KEY), Map.of()).err())
                .isEqualTo("There is no such command; see trestle partitions --help.");
        assertThat(run(List.of("--in-memory", OTHER_KEY), Map.of()).err())
                .startsWith("The serve command takes only options");
    }

    @Test
    void an_option_without_its_value_or_given_twice_is_refused() {
        assertRefused("The option --in-memory is given more than once.", "--in-memory", "--in-memory=true");
        assertRefused("The option --services is given more than once.", "--services=blob", "--services=table");
        assertRefused("The option --data needs a value, DIR.", "--data");
        assertRefused("The option --data needs a value, DIR.", "--data", "--in-memory");
        assertRefused("The option --data is given more than once.", "--data", "a", "--data", "b");
    }

    @Test
    void config_files_that_cannot_be_read_are_refused() throws IOException {
        assertRefused("The config file missing (--config) does not exist.", "--config", "missing");
        assertRefused("The config file " + folder + " (--config) cannot be read.", "--config", folder + "");
        Path latin = Files.write(folder.resolve("latin"), new byte[] {'d', 'a', 't', 'a', '=', (byte) 0xe9});
        assertRefused("The config file " + latin + " (--config) is not UTF-8 text.", "--config", latin + "");
        String escape = file("data=\\u12");
        assertRefused(
                "The config file " + escape
                        + " (--config) has a backslash and u that are not followed by four hexadecimal digits.",
                "--config",
                escape);
        String twice = file("account=one:" + KEY, "account=two:" + KEY);
        assertRefused(
                "The key 'account' is given twice in " + twice + ". Separate several accounts with ';'.",
                "--config",
                twice);
        String nested = file("config=other");
        assertRefused("The config file " + nested + " cannot name another config file.", "--config", nested);
    }

    @Test
    void a_configuration_without_accounts_cannot_be_made() {
        assertThatThrownBy(() -> new ServeConfig(
                        Optional.empty(),
                        new ListenAddress("127.0.0.1", true, false),
                        Map.of(Service.TABLE, 0),
                        List.of(),
                        Durability.SYNCED,
                        EngineName.ROCKSDB,
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        LogLevel.INFO,
                        1L << 30,
                        HttpConfig.DEFAULT,
                        new EngineLimits(1, 1, 1, 1, OptionalInt.empty(), OptionalInt.empty()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        ServerConfig.NO_TENANT,
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO))
                .isInstanceOf(ConfigException.class);
    }
}
