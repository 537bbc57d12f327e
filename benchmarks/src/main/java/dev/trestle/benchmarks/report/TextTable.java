package dev.trestle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A text table: the first column is aligned to the left, the others to the right. */
public final class TextTable {
    private static final String BETWEEN = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    public List<String> lines() {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            String pad = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? cell + pad : BETWEEN + pad + cell);
        }
        return line.toString();
    }
}
