package dev.trestle.commandline;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses whole numbers within a range. */
public class WholeNumberConverter implements ITypeConverter<Integer> {
    private final int least;
    private final int most;

    public WholeNumberConverter(int least, int most) {
        this.least = least;
        this.most = most;
    }

    @Override
    public final Integer convert(String text) {
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw new TypeConversionException("'" + text + "' is not a number from " + least + " to " + most + ".");
    }
}
