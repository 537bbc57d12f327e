package dev.trestle.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A file of requests and expected responses. The README of its folder describes the format. */
record Transcript(String name, List<Exchange> exchanges) {
    private static final String BEGIN = ">>> ";
    private static final String RESPONSE = "<<<";
    private static final String LF_ONLY = "@lf";

    /** One request and its response, both with placeholders. */
    record Exchange(String title, boolean lfOnly, Message request, Message response) {}

    /** A start line, headers and a body whose lines are separated by LF. */
    record Message(String startLine, List<Map.Entry<String, String>> headers, String body) {}

    static Transcript read(Path file) throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(BEGIN)) {
                addExchange(block, exchanges);
                block.clear();
            }
            block.add(line);
        }
        addExchange(block, exchanges);
        if (exchanges.isEmpty()) {
            throw new IllegalArgumentException("no exchange in " + file);
        }
        return new Transcript(String.valueOf(file.getFileName()), List.copyOf(exchanges));
    }

    private static void addExchange(List<String> block, List<Exchange> exchanges) {
        if (block.isEmpty() || !block.get(0).startsWith(BEGIN)) {
            return;
        }
        int response = block.indexOf(RESPONSE);
        if (response < 0) {
            throw new IllegalArgumentException("no response to: " + block.get(0));
        }
        boolean lfOnly = block.get(1).equals(LF_ONLY);
        exchanges.add(new Exchange(
                block.get(0).substring(BEGIN.length()),
                lfOnly,
                message(block.subList(lfOnly ? 2 : 1, response)),
                message(block.subList(response + 1, block.size()))));
    }

    private static Message message(List<String> lines) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        int at = 1;
        while (at < lines.size() && !lines.get(at).isEmpty()) {
            String line = lines.get(at);
            int colon = line.indexOf(':');
            headers.add(Map.entry(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
            at++;
        }
        String body = at < lines.size() ? String.join("\n", lines.subList(at + 1, lines.size())) : "";
        return new Message(lines.get(0), List.copyOf(headers), body.stripTrailing());
    }
}
