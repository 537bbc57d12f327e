package dev.trestle.commandline;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses paths. Refuses an empty one, which would be the working directory. */
public final class PathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("it is empty.");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is not a path.");
        }
    }
}
