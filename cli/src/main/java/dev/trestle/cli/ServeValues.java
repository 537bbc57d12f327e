package dev.trestle.cli;

import dev.trestle.commandline.PathConverter;
import dev.trestle.commandline.SizeConverter;
import dev.trestle.commandline.WholeNumberConverter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values that options of {@code trestle serve} take. */
final class ServeValues {
    static final Pattern GUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private static final WholeNumberConverter COUNT = new WholeNumberConverter(1, Integer.MAX_VALUE);

    private ServeValues() {}

    /** Registers the converters of types that mean the same in all options. */
    static CommandLine register(CommandLine command) {
        return command.registerConverter(int.class, COUNT)
                .registerConverter(Integer.class, COUNT)
                .registerConverter(long.class, new SizeConverter())
                .registerConverter(Duration.class, text -> Duration.ofSeconds(COUNT.convert(text)))
                .registerConverter(Path.class, new PathConverter())
                .registerConverter(String.class, ServeValues::filled)
                .registerConverter(UUID.class, ServeValues::guid)
                .registerConverter(ListenAddress.class, ListenAddress::of);
    }

    private static String filled(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("it is empty.");
        }
        return text;
    }

    private static UUID guid(String text) {
        if (!GUID.matcher(text).matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a GUID, such as 01234567-89ab-cdef-0123-456789abcdef.");
        }
        return UUID.fromString(text);
    }

    static final class Port extends WholeNumberConverter {
        Port() {
            super(0, 65535);
        }
    }

    static final class SecondsOrZero implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Duration.ofSeconds(new WholeNumberConverter(0, Integer.MAX_VALUE).convert(text));
        }
    }

    static final class ReadableFile implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            Path file = new PathConverter().convert(text);
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                throw new TypeConversionException("there is no file " + text + " that can be read.");
            }
            return file;
        }
    }
}
