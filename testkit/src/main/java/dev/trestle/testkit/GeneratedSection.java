package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a document that is generated from the code. It stands between two comments, which name it:
 *
 * <pre>
 * &lt;!-- generated: NAME --&gt;
 * ...
 * &lt;!-- end: NAME --&gt;
 * </pre>
 *
 * <p>Tests compare it with the code. With the system property {@code trestle.docs.update}, which {@code mvn -Pdocs} sets, they
 * write it instead.
 */
public final class GeneratedSection {
    private static final boolean UPDATE = Boolean.getBoolean("trestle.docs.update");

    private GeneratedSection() {}

    /** Asserts that a section of a document has this text, or writes the text. */
    public static void assertCurrent(Path document, String name, String text) throws IOException {
        String page = Files.readString(document);
        String begin = "<!-- generated: " + name + " -->\n";
        String end = "\n<!-- end: " + name + " -->";
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end);
        assertThat(from >= begin.length() && to >= from)
                .as("%s has a section %s", document.getFileName(), name)
                .isTrue();
        String wanted = "\n" + text.strip() + "\n";
        if (UPDATE) {
            Files.writeString(document, page.substring(0, from) + wanted + page.substring(to));
        } else {
            assertThat(page.substring(from, to))
                    .as("%s, section %s; mvn -Pdocs writes it", document.getFileName(), name)
                    .isEqualTo(wanted);
        }
    }
}
