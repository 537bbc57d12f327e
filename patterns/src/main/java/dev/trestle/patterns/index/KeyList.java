package dev.trestle.patterns.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A codec of sorted key lists, as entity properties or as lines. Keys cannot contain line breaks, which separate them. */
final class KeyList {
    private static final String NAME = "Keys";
    private static final char SEPARATOR = '\n';

    /** Below the service's limit of 32 Ki characters per property. */
    private static final int CHARACTERS_MAX = 32_000;

    private KeyList() {}

    static SortedSet<String> parse(String lines) {
        SortedSet<String> keys = new TreeSet<>();
        for (String line : lines.split("\n", -1)) {
            if (!line.isEmpty()) {
                keys.add(line);
            }
        }
        return keys;
    }

    static String lines(SortedSet<String> keys) {
        StringBuilder text = new StringBuilder();
        keys.forEach(key -> text.append(key).append(SEPARATOR));
        return text.toString();
    }

    static Map<String, Object> properties(SortedSet<String> keys) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (String key : keys) {
            if (part.length() + key.length() + 1 > CHARACTERS_MAX) {
                parts.add(part.toString());
                part.setLength(0);
            }
            part.append(key).append(SEPARATOR);
        }
        parts.add(part.toString());
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            properties.put(NAME + String.format("%02d", i), parts.get(i));
        }
        return properties;
    }

    static SortedSet<String> of(Map<String, Object> properties) {
        SortedSet<String> keys = new TreeSet<>();
        new TreeMap<>(properties).forEach((name, value) -> {
            if (name.startsWith(NAME)) {
                keys.addAll(parse(value.toString()));
            }
        });
        return keys;
    }
}
