package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses query parameters of the Queue and Blob services, with the error details that these services return. */
public final class RequestParameters {
    private RequestParameters() {}

    public static int number(Request request, String name, int min, int max, int otherwise) {
        Optional<String> text = request.query(name);
        return text.isEmpty() ? otherwise : number(name, text.get(), min, max);
    }

    public static int requiredNumber(Request request, String name, int min, int max) {
        return number(name, required(request, name), min, max);
    }

    public static String required(Request request, String name) {
        return request.query(name)
                .orElseThrow(() -> new StorageException(StorageError.MISSING_REQUIRED_QUERY_PARAMETER)
                        .with("QueryParameterName", name));
    }

    private static int number(String name, String text, int min, int max) {
        long value = parse(name, text);
        if (value < min || value > max) {
            throw outOfRange(name, text, min, max);
        }
        return (int) value;
    }

    /** Returns {@code maxresults}, the page size of a listing, limited to {@code most}; empty if absent. */
    public static Optional<Integer> max(Request request, int most) {
        Optional<String> text = request.query("maxresults");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        long requested = parse("maxresults", text.get());
        if (requested < 1) {
            throw outOfRange("maxresults", text.get(), 1, most);
        }
        return Optional.of((int) Math.min(requested, most));
    }

    /** Returns the continuation marker of a listing; an empty one counts as absent. */
    public static Optional<String> marker(Request request) {
        return request.query("marker").filter(text -> !text.isEmpty());
    }

    /** Returns the words of {@code include}, a list that may have empty elements; rejects unknown words. */
    public static Set<String> include(Request request, Set<String> known) {
        String text = included(request);
        Set<String> include = includeWords(request);
        if (!known.containsAll(include)) {
            String listed = known.stream().sorted().collect(Collectors.joining(" "));
            throw invalid("include", text, "Only these can be included: " + listed);
        }
        return include;
    }

    /** Returns the words of {@code include}, including unknown ones. */
    public static Set<String> includeWords(Request request) {
        Set<String> words = new HashSet<>(Arrays.asList(included(request).split(",", -1)));
        words.remove("");
        return words;
    }

    /** Whether {@code include} has its only possible value; it is not a list here. */
    public static boolean includes(Request request, String only) {
        String text = included(request);
        if (!text.isEmpty() && !text.equals(only)) {
            throw invalid("include", text, "Only " + only + " can be included.");
        }
        return !text.isEmpty();
    }

    private static String included(Request request) {
        return request.query("include").orElse("").toLowerCase(Locale.ROOT);
    }

    public static long parse(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid(name, text, "The value is not a number.");
        }
    }

    public static StorageException outOfRange(String name, String text, long min, long max) {
        return new StorageException(StorageError.OUT_OF_RANGE_QUERY_PARAMETER_VALUE)
                .with("QueryParameterName", name)
                .with("QueryParameterValue", text)
                .with("MinimumAllowed", Long.toString(min))
                .with("MaximumAllowed", Long.toString(max));
    }

    public static StorageException invalid(String name, String text, String reason) {
        return new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE)
                .with("QueryParameterName", name)
                .with("QueryParameterValue", text)
                .with("Reason", reason);
    }
}
