package dev.trestle.cli;

import dev.trestle.catalogue.Service;
import dev.trestle.cli.ServeConfig.Admin;
import dev.trestle.cli.ServeConfig.EngineName;
import dev.trestle.cli.ServeConfig.LogLevel;
import dev.trestle.cli.Settings.Setting;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.auth.BearerConfig;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.TimeLimits;
import dev.trestle.server.sockets.SocketTransport;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns the texts of the options into a {@link ServeConfig}, or says in one sentence what is wrong with which. */
final class ServeConfigReader {
    private static final int PORT_MAX = 65535;
    private static final String OFF = "off";
    private static final long SMALL_BYTES_MAX = 16L << 20;
    private static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,5})([kmg])");

    private final Settings settings;

    private ServeConfigReader(Settings settings) {
        this.settings = settings;
    }

    /**
     * Reads every option.
     *
     * @throws ConfigException with the sentence for the user
     */
    static ServeConfig read(Settings settings) {
        return new ServeConfigReader(settings).read();
    }

    private ServeConfig read() {
        return new ServeConfig(
                data(),
                required(ServeOption.HOST, ListenAddress::of),
                ports(),
                optional(ServeOption.ACCOUNT, AccountKeys::parseAll).orElse(List.of(AccountKeys.DEVELOPMENT)),
                required(ServeOption.DURABILITY, text -> constant(Durability.values(), text)),
                engine(),
                cluster(),
                tls(),
                required(ServeOption.ALLOW_DEVELOPMENT_KEY, ServeConfigReader::onOrOff),
                required(ServeOption.LOG_LEVEL, text -> constant(LogLevel.values(), text)),
                required(ServeOption.MEMORY, ServeConfigReader::bytes),
                limits(),
                engineLimits(),
                admin(),
                accessLog(),
                bearer(),
                bearerTenant(),
                new BlobConfig(
                        required(ServeOption.PUBLIC_ACCESS, ServeConfigReader::onOrOff),
                        required(ServeOption.REHYDRATION_TIME, ServeConfigReader::secondsOrNone)),
                required(ServeOption.TRANSPORT, text -> constant(SocketTransport.values(), text)));
    }

    private Map<Service, Integer> ports() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        for (Service service : services()) {
            ServeOption option = switch (service) {
                case TABLE -> ServeOption.TABLE_PORT;
                case QUEUE -> ServeOption.QUEUE_PORT;
                case BLOB -> ServeOption.BLOB_PORT;
            };
            boolean follows = tablesMoved() && settings.findGiven(option).isEmpty();
            ports.put(service, follows ? 0 : required(option, ServeConfigReader::port));
        }
        return ports;
    }

    /** All that were asked for; who asks for none gets blobs only where there is a place for them. */
    private List<Service> services() {
        List<Service> services = required(ServeOption.SERVICES, ServeConfigReader::services);
        boolean anyPlace = engine() != EngineName.HBASE
                || settings.findGiven(ServeOption.HBASE_CONF).isPresent()
                || settings.findGiven(ServeOption.HBASE_CONTENT_DIR).isPresent();
        return anyPlace || settings.findGiven(ServeOption.SERVICES).isPresent()
                ? services
                : services.stream().filter(service -> service != Service.BLOB).toList();
    }

    /** Who moves the tables runs several servers, and they must not quarrel over ports nobody asked for. */
    private boolean tablesMoved() {
        return !ServeOption.TABLE_PORT
                .defaultText()
                .equals(Optional.of(required(ServeOption.TABLE_PORT, ServeConfigReader::port)
                        .toString()));
    }

    private static List<Service> services(String text) {
        List<Service> known = List.of(Service.values());
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(word -> known.stream()
                        .filter(service -> service.word().equals(word))
                        .findFirst()
                        .orElseThrow(() -> new ConfigException("'" + word + "' is none of "
                                + known.stream().map(Service::word).collect(Collectors.joining(", ")) + ".")))
                .distinct()
                .toList();
    }

    private HttpConfig limits() {
        boolean rehearse = required(ServeOption.REHEARSE_AZURE, ServeConfigReader::onOrOff);
        RateLimits otherwise = rehearse ? RateLimits.AZURE : RateLimits.NONE;
        int connections = required(ServeOption.MAX_CONNECTIONS, ServeConfigReader::count);
        return new HttpConfig(
                connections,
                optional(ServeOption.MAX_CONNECTIONS_PER_ADDRESS, ServeConfigReader::count)
                        .orElseGet(() -> HttpLimits.connectionsPerAddressMax(connections)),
                required(ServeOption.MAX_BODY_MEMORY, ServeConfigReader::bytes),
                required(ServeOption.MAX_ANSWER_MEMORY, ServeConfigReader::bytes),
                required(ServeOption.MAX_REQUEST_LINE, ServeConfigReader::smallBytes),
                required(ServeOption.MAX_HEADERS, ServeConfigReader::smallBytes),
                new TimeLimits(
                        required(ServeOption.BODY_TIMEOUT, ServeConfigReader::seconds),
                        required(ServeOption.REQUEST_TIMEOUT, ServeConfigReader::seconds),
                        required(ServeOption.ANSWER_TIMEOUT, ServeConfigReader::seconds),
                        required(ServeOption.IDLE_TIMEOUT, ServeConfigReader::seconds),
                        required(ServeOption.STOP_TIMEOUT, ServeConfigReader::seconds)),
                new RateLimits(
                        countOr(ServeOption.LIMIT_ACCOUNT_REQUESTS, otherwise.accountRequests()),
                        countOr(ServeOption.LIMIT_PARTITION_ENTITIES, otherwise.partitionEntities())));
    }

    private Optional<ClusterConfig> cluster() {
        boolean used = engine() == EngineName.HBASE;
        for (ServeOption option : List.of(
                ServeOption.HBASE_QUORUM,
                ServeOption.HBASE_NAMESPACE,
                ServeOption.HBASE_CONF,
                ServeOption.HBASE_CONTENT_DIR)) {
            if (!used && settings.findGiven(option).isPresent()) {
                throw new ConfigException(origin(option) + " needs --engine hbase beside it.");
            }
        }
        return used
                ? Optional.of(new ClusterConfig(
                        optional(ServeOption.HBASE_QUORUM, text -> text),
                        optional(ServeOption.HBASE_CONF, ServeConfigReader::path),
                        required(ServeOption.HBASE_NAMESPACE, text -> text),
                        optional(ServeOption.HBASE_CONTENT_DIR, text -> text)))
                : Optional.empty();
    }

    private EngineLimits engineLimits() {
        return new EngineLimits(
                required(ServeOption.MAX_QUEUED_COMMITS, ServeConfigReader::count),
                required(ServeOption.MAX_QUEUED_COMMIT_MEMORY, ServeConfigReader::bytes),
                required(ServeOption.MAX_QUEUED_SCANS, ServeConfigReader::count),
                required(ServeOption.MAX_QUEUED_READS, ServeConfigReader::count),
                countOr(ServeOption.SCAN_THREADS, OptionalInt.empty()),
                countOr(ServeOption.READ_THREADS, OptionalInt.empty()));
    }

    private OptionalInt countOr(ServeOption option, OptionalInt otherwise) {
        return optional(option, ServeConfigReader::count).map(OptionalInt::of).orElse(otherwise);
    }

    private Optional<Admin> admin() {
        if (tablesMoved() && settings.findGiven(ServeOption.ADMIN_PORT).isEmpty()) {
            return Optional.of(new Admin(required(ServeOption.ADMIN_HOST, ListenAddress::of), 0));
        }
        OptionalInt port = required(
                ServeOption.ADMIN_PORT, text -> text.equals(OFF) ? OptionalInt.empty() : OptionalInt.of(port(text)));
        return port.isEmpty()
                ? Optional.empty()
                : Optional.of(new Admin(required(ServeOption.ADMIN_HOST, ListenAddress::of), port.getAsInt()));
    }

    private Optional<AccessLogConfig> accessLog() {
        Optional<AccessLogFormat> format = required(
                ServeOption.ACCESS_LOG,
                text -> text.equals(OFF) ? Optional.empty() : Optional.of(constant(AccessLogFormat.values(), text)));
        Optional<Path> file = optional(ServeOption.ACCESS_LOG_FILE, ServeConfigReader::path);
        if (format.isEmpty() && file.isPresent()) {
            throw new ConfigException(
                    origin(ServeOption.ACCESS_LOG_FILE) + " needs --access-log text or json beside it.");
        }
        return format.map(chosen -> new AccessLogConfig(chosen, file));
    }

    private EngineName engine() {
        return required(ServeOption.ENGINE, text -> constant(EngineName.values(), text));
    }

    private Optional<Path> data() {
        boolean inMemory = required(ServeOption.IN_MEMORY, ServeConfigReader::onOrOff);
        if (engine() == EngineName.HBASE) {
            for (ServeOption local : List.of(ServeOption.DATA, ServeOption.IN_MEMORY)) {
                settings.findGiven(local).ifPresent(given -> {
                    throw new ConfigException(
                            given.origin() + " and --engine hbase contradict each other: the data are in"
                                    + " the cluster. Give only one of them.");
                });
            }
            return Optional.empty();
        }
        if (!inMemory) {
            return Optional.of(required(ServeOption.DATA, ServeConfigReader::path));
        }
        Optional<Setting> folder = settings.findGiven(ServeOption.DATA);
        if (folder.isPresent()) {
            throw new ConfigException(origin(ServeOption.IN_MEMORY) + " and "
                    + folder.get().origin() + " contradict each other; give only one of them.");
        }
        return Optional.empty();
    }

    private Optional<TlsFiles> tls() {
        Optional<Path> certificate = optional(ServeOption.TLS_CERT, ServeConfigReader::readableFile);
        Optional<Path> key = optional(ServeOption.TLS_KEY, ServeConfigReader::readableFile);
        if (certificate.isPresent() && key.isEmpty()) {
            throw new ConfigException(origin(ServeOption.TLS_CERT) + " needs --tls-key beside it.");
        }
        if (key.isPresent() && certificate.isEmpty()) {
            throw new ConfigException(origin(ServeOption.TLS_KEY) + " needs --tls-cert beside it.");
        }
        return certificate.map(file -> new TlsFiles(file, key.orElseThrow()));
    }

    private Optional<BearerConfig> bearer() {
        List<ServeOption> together =
                List.of(ServeOption.BEARER_KEYS, ServeOption.BEARER_ISSUER, ServeOption.BEARER_AUDIENCE);
        Optional<Path> keys = optional(ServeOption.BEARER_KEYS, ServeConfigReader::readableFile);
        Optional<String> issuer = optional(ServeOption.BEARER_ISSUER, ServeConfigReader::filled);
        Optional<String> audience = optional(ServeOption.BEARER_AUDIENCE, ServeConfigReader::filled);
        for (ServeOption given : together) {
            for (ServeOption missing : together) {
                if (settings.find(given).isPresent() && settings.find(missing).isEmpty()) {
                    throw new ConfigException(origin(given) + " needs " + missing.flag() + " beside it.");
                }
            }
        }
        return keys.map(file -> new BearerConfig(file, issuer.orElseThrow(), audience.orElseThrow()));
    }

    /** The one given, or else that of the issuer, whose address mostly names it. */
    private UUID bearerTenant() {
        return optional(ServeOption.BEARER_TENANT, ServeConfigReader::guid)
                .or(() -> optional(ServeOption.BEARER_ISSUER, ServeConfigReader::filled)
                        .map(GUID::matcher)
                        .filter(Matcher::find)
                        .map(found -> UUID.fromString(found.group())))
                .orElse(ServerConfig.NO_TENANT);
    }

    private static UUID guid(String text) {
        if (!GUID.matcher(text).matches()) {
            throw new ConfigException("'" + text + "' is not a GUID, such as 01234567-89ab-cdef-0123-456789abcdef.");
        }
        return UUID.fromString(text);
    }

    private <T> T required(ServeOption option, Function<String, T> parser) {
        return optional(option, parser).orElseThrow();
    }

    private <T> Optional<T> optional(ServeOption option, Function<String, T> parser) {
        return settings.find(option).map(setting -> {
            try {
                return parser.apply(setting.text());
            } catch (ConfigException e) {
                throw new ConfigException("The value of " + setting.origin() + " cannot be used: " + e.getMessage());
            }
        });
    }

    private String origin(ServeOption option) {
        return settings.find(option).orElseThrow().origin();
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Not a number and out of range are the same mistake to the user.
        }
        throw new ConfigException("'" + text + "' is not a port, which is a number from 0 to " + PORT_MAX + ".");
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Not a number and out of range are the same mistake to the user.
        }
        throw new ConfigException("'" + text + "' is not a number from 1 to " + Integer.MAX_VALUE + ".");
    }

    static long bytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new ConfigException("'" + text + "' is not a size, such as 512k, 64m or 1g.");
        }
        return Long.parseLong(size.group(1))
                << switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    default -> 30;
                };
    }

    /** A size that one request is held to, and that an array can have. */
    private static int smallBytes(String text) {
        long bytes = bytes(text);
        if (bytes > SMALL_BYTES_MAX) {
            throw new ConfigException("'" + text + "' is more than 16m.");
        }
        return (int) bytes;
    }

    private static Duration secondsOrNone(String text) {
        return text.strip().equals("0") ? Duration.ZERO : seconds(text);
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(count(text));
    }

    private static boolean onOrOff(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigException("'" + text + "' is neither true nor false.");
        };
    }

    private static <E extends Enum<E>> E constant(E[] constants, String text) {
        return Arrays.stream(constants)
                .filter(constant -> word(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new ConfigException("'" + text + "' is not "
                        + Arrays.stream(constants).map(ServeConfigReader::word).collect(Collectors.joining(" or "))
                        + "."));
    }

    /** A constant as users write and read it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String filled(String text) {
        if (text.isBlank()) {
            throw new ConfigException("it is empty.");
        }
        return text;
    }

    private static Path path(String text) {
        try {
            return Path.of(filled(text));
        } catch (InvalidPathException e) {
            throw new ConfigException("'" + text + "' is not a path.");
        }
    }

    private static Path readableFile(String text) {
        Path file = path(text);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new ConfigException("there is no file " + text + " that can be read.");
        }
        return file;
    }
}
