package dev.trestle.benchmarks.report;

import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws what requests cost as a table grows, as SVG: a small chart for each workload, the entities on a logarithmic axis
 * across, the server's processor time for a request upwards from zero. A cost that does not grow is a level line.
 */
public final class GrowthPlot {
    private static final int COLUMNS = 3;
    private static final int CHART_WIDTH = 280;
    private static final int CHART_HEIGHT = 190;
    private static final int HEAD_HEIGHT = 60;
    private static final int MARGIN = 20;

    /** Of a chart, where its lines may be drawn. */
    private static final int PLOT_LEFT = 30;

    private static final int PLOT_WIDTH = 215;
    private static final int PLOT_TOP = 50;
    private static final int PLOT_HEIGHT = 95;

    /** The highest point stays below the top, to leave room for its figure. */
    private static final double HEADROOM = 1.25;

    private final Report report;
    private final StringBuilder svg = new StringBuilder();

    private GrowthPlot(Report report) {
        this.report = report;
    }

    public static String of(Report report) {
        return new GrowthPlot(report).draw();
    }

    /** One figure of one chart. */
    private record Point(long entities, double cpuMicros) {
        double magnitude() {
            return Math.log10((double) entities);
        }
    }

    private String draw() {
        List<Workload> workloads = report.measured().stream()
                .filter(measured -> measured.outcome().cpuMicrosPerRequest().isPresent())
                .map(Measured::workload)
                .distinct()
                .sorted()
                .toList();
        int rows = (workloads.size() + COLUMNS - 1) / COLUMNS;
        int width = 2 * MARGIN + COLUMNS * CHART_WIDTH;
        int height = HEAD_HEIGHT + rows * CHART_HEIGHT + MARGIN;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">",
                width, height, width, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
        add(
                "<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">Server CPU time for a request, by the size of"
                        + " the table</text>",
                MARGIN);
        add(
                "<text x=\"%d\" y=\"46\" fill=\"#555\">microseconds upwards from zero, entities in the table across"
                        + " (logarithmic)</text>",
                MARGIN);
        for (int i = 0; i < workloads.size(); i++) {
            add(
                    "<g transform=\"translate(%d %d)\">",
                    MARGIN + i % COLUMNS * CHART_WIDTH, HEAD_HEIGHT + i / COLUMNS * CHART_HEIGHT);
            chart(workloads.get(i));
            add("</g>");
        }
        add("</svg>");
        return svg.toString();
    }

    private void chart(Workload workload) {
        List<Point> points = report.measured().stream()
                .filter(measured -> measured.workload() == workload)
                .flatMap(measured -> measured.outcome().cpuMicrosPerRequest().stream()
                        .mapToObj(cpu -> new Point(measured.entities(), cpu)))
                .sorted(Comparator.comparing(Point::entities))
                .toList();
        double top =
                HEADROOM * points.stream().mapToDouble(Point::cpuMicros).max().orElse(1);
        int bottom = PLOT_TOP + PLOT_HEIGHT;
        add("<text x=\"%d\" y=\"30\" font-size=\"13\" font-weight=\"bold\">%s</text>", PLOT_LEFT, workload.word());
        add(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999\"/>",
                PLOT_LEFT, bottom, PLOT_LEFT + PLOT_WIDTH, bottom);
        StringBuilder line = new StringBuilder();
        for (Point point : points) {
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point, points), y(point, top)));
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>",
                line.toString().strip());
        for (Point point : points) {
            double x = x(point, points);
            double y = y(point, top);
            add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1f5fa8\"/>", x, y);
            add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", x, y - 8, cost(point.cpuMicros()));
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
                    x, bottom + 16, size(point.entities()));
        }
    }

    private static double x(Point point, List<Point> points) {
        double least = points.get(0).magnitude();
        double most = points.get(points.size() - 1).magnitude();
        double share = most > least ? (point.magnitude() - least) / (most - least) : 0.5;
        return PLOT_LEFT + 15 + share * (PLOT_WIDTH - 30);
    }

    private static double y(Point point, double top) {
        return PLOT_TOP + PLOT_HEIGHT * (1 - point.cpuMicros() / top);
    }

    private static String cost(double micros) {
        return String.format(Locale.ROOT, micros < 100 ? "%.1f" : "%,.0f", micros);
    }

    private static String size(long entities) {
        if (entities >= 1_000_000 && entities % 100_000 == 0) {
            return trimmed(entities / 1e6) + " M";
        }
        return entities >= 1000 ? trimmed(entities / 1e3) + " k" : Long.toString(entities);
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
