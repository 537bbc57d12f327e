package dev.trestle.cli;

import dev.trestle.catalogue.Service;
import dev.trestle.server.sockets.SocketTransport;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code trestle serve} for the services and where they listen. */
final class ServiceOptions {
    @Option(names = "--host", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
    ListenAddress address;

    @Option(names = "--table-port", paramLabel = "PORT", converter = ServeValues.Port.class)
    private Optional<Integer> tablePort;

    @Option(names = "--queue-port", paramLabel = "PORT", converter = ServeValues.Port.class)
    private Optional<Integer> queuePort;

    @Option(names = "--blob-port", paramLabel = "PORT", converter = ServeValues.Port.class)
    private Optional<Integer> blobPort;

    @Option(names = "--services", paramLabel = "table,queue,blob", converter = Services.class)
    private Optional<Set<Service>> services;

    @Option(names = "--public-access", arity = "0..1", fallbackValue = "true", paramLabel = "true|false")
    boolean publicAccess;

    @Option(
            names = "--rehydration-time",
            hidden = true,
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = ServeValues.SecondsOrZero.class)
    Duration rehydrationTime;

    @Option(names = "--transport", hidden = true, paramLabel = "auto|io_uring|epoll|nio", defaultValue = "auto")
    SocketTransport transport;

    /** Returns whether the table port is the usual one. If not, ports that are not given must not conflict. */
    boolean isTablePortUsual() {
        int usual = ServeConfig.usualPort(Service.TABLE);
        return tablePort.orElse(usual) == usual;
    }

    /** Returns the ports of the services to serve. */
    Map<Service, Integer> ports(boolean hasPlaceForContent) {
        Set<Service> wanted = services.orElseGet(() ->
                hasPlaceForContent ? EnumSet.allOf(Service.class) : EnumSet.complementOf(EnumSet.of(Service.BLOB)));
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        wanted.forEach(service ->
                ports.put(service, given(service).orElse(isTablePortUsual() ? ServeConfig.usualPort(service) : 0)));
        return ports;
    }

    private Optional<Integer> given(Service service) {
        return switch (service) {
            case TABLE -> tablePort;
            case QUEUE -> queuePort;
            case BLOB -> blobPort;
        };
    }

    /** Parses the names of services, separated by commas. */
    static final class Services implements ITypeConverter<Set<Service>> {
        @Override
        public Set<Service> convert(String text) {
            return Stream.of(text.split(",", -1))
                    .map(String::strip)
                    .map(Services::service)
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(Service.class)));
        }

        private static Service service(String word) {
            return Arrays.stream(Service.values())
                    .filter(service -> service.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + word + "' is none of table, queue, blob."));
        }
    }
}
