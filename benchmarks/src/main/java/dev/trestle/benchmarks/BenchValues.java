package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.commandline.UsageErrors;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values that options of {@code trestle bench} take. */
final class BenchValues {
    private BenchValues() {}

    static final class Entities implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            double number = number(text, DataSet.PARTITION_ROWS, 1e9);
            if (number % DataSet.PARTITION_ROWS != 0) {
                throw new TypeConversionException(
                        UsageErrors.TAKES + "multiples of " + DataSet.PARTITION_ROWS + ", not " + text);
            }
            return (long) number;
        }
    }

    static final class Messages implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return (long) number(text, 0, 1e9);
        }
    }

    static final class Connections implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1, 10_000);
        }
    }

    static final class Rounds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1, 1000);
        }
    }

    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return seconds(text, 0.1);
        }
    }

    static final class WarmUp implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return seconds(text, 0);
        }
    }

    static final class Rate implements ITypeConverter<Mode> {
        @Override
        public Mode convert(String text) {
            return text.equals("max") ? new Mode.Closed() : new Mode.Open(number(text, 0.001, 1e7));
        }
    }

    static final class Share implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return number(text, 0.01, 10);
        }
    }

    private static Duration seconds(String text, double least) {
        return Duration.ofMillis(Math.round(1000 * number(text, least, 86_400)));
    }

    private static double number(String text, double least, double most) {
        try {
            double number = Double.parseDouble(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw new TypeConversionException(
                UsageErrors.TAKES + "a number from " + plain(least) + " to " + plain(most) + ", not " + text);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
