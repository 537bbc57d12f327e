package dev.trestle.testkit;

import java.io.IOException;

/** Runs commands of the system. */
final class Commands {
    private Commands() {}

    /** Returns the exit code, or -1 if there is no such command. */
    static int run(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command[0], e);
        }
    }
}
