package dev.trestle.commandline;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses sizes such as {@code 512k}, {@code 64m} and {@code 1g} into bytes. */
public final class SizeConverter implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,5})([kmg])");

    @Override
    public Long convert(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size, such as 512k, 64m or 1g.");
        }
        return Long.parseLong(size.group(1))
                << switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    default -> 30;
                };
    }
}
