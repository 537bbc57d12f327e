package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks links between the documents, and that classes in the glossary exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*[a-z]\\w*)(?:\\.\\w+)*`");
    private static final Pattern NESTED = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

    @Test
    void every_link_leads_to_a_file_and_a_heading() throws IOException {
        Set<String> broken = new TreeSet<>();
        for (Path page : pages()) {
            Matcher links = LINK.matcher(withoutCode(Files.readString(page)));
            while (links.find()) {
                if (!links.group(1).contains("://") && !leadsSomewhere(page, links.group(1))) {
                    broken.add(ROOT.relativize(page) + ": " + links.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void every_class_of_the_glossary_exists() throws IOException {
        Set<String> known = new HashSet<>();
        for (Path source : files(".java")) {
            Matcher types = NESTED.matcher(Files.readString(source));
            while (types.find()) {
                known.add(types.group(1));
            }
        }
        Matcher classes = CLASS.matcher(Files.readString(ROOT.resolve("docs/glossary.md")));
        Set<String> missing = new TreeSet<>();
        int count = 0;
        while (classes.find()) {
            count++;
            if (!known.contains(classes.group(1))) {
                missing.add(classes.group(1));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(50);
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** Returns the anchors of a page as GitHub makes them of its headings. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher headings = HEADING.matcher(withoutCode(Files.readString(page)));
        while (headings.find()) {
            anchors.add(headings.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\w\\- ]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }

    private static String withoutCode(String page) {
        return page.replaceAll("(?s)```.*?```", "");
    }

    private static List<Path> pages() throws IOException {
        return files(".md").stream()
                .filter(page -> !page.toString().contains(".github"))
                .toList();
    }

    private static List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .filter(file -> !file.toString().contains("/target/")
                            && !file.toString().contains("node_modules"))
                    .toList();
        }
    }
}
