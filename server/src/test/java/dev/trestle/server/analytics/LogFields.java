package dev.trestle.server.analytics;

import java.util.ArrayList;
import java.util.List;

/** Splits log lines into fields, which end at semicolons outside of quotes. */
public final class LogFields {
    private LogFields() {}

    /** The fields of a line, without their quotes, as they are encoded. */
    public static List<String> of(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
