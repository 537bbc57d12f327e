package dev.trestle.sandbox;

import java.util.List;
import java.util.Locale;

/** The processes of a sandbox as text. */
final class StatusTable {
    private static final String ROW = "%-18s%-10s%-8s%s%n";

    private StatusTable() {}

    static String of(List<SandboxProcess> processes) {
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, ROW, "PROCESS", "PID", "PORT", "STATE"));
        for (SandboxProcess process : processes) {
            String pid = process.running() ? String.valueOf(process.pid().getAsLong()) : "-";
            String state = process.running() ? "running" : "not running";
            table.append(String.format(Locale.ROOT, ROW, process.name(), pid, process.port(), state));
        }
        return table.toString();
    }
}
