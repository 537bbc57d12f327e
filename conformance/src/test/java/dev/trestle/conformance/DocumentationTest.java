package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks links between the documents, and that the classes, methods, packages and modules in them exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*[a-z]\\w*)((?:\\.\\w+)*)(?:\\([^)`]*\\))?`");
    private static final Set<String> OF_THE_JDK = Set.of("CompletionStage");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| `([a-z][\\w./-]*)` \\|");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))`");
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

    @ParameterizedTest
    @CsvSource({"docs/glossary.md, 50", "ARCHITECTURE.md, 50", "docs/engine.md, 20"})
    void every_class_and_method_in_a_document_exists(String page, int atLeast) throws IOException {
        Map<String, String> sources = sources();
        Matcher references = CLASS.matcher(withoutCode(Files.readString(ROOT.resolve(page))));
        Set<String> missing = new TreeSet<>();
        int count = 0;
        while (references.find()) {
            String type = references.group(1);
            if (OF_THE_JDK.contains(type)) {
                continue;
            }
            count++;
            String source = sources.get(type);
            boolean found = source != null
                    && Arrays.stream(references.group(2).split("\\.")).allMatch(member -> source.contains(member));
            if (!found) {
                missing.add(references.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(atLeast);
    }

    @Test
    void every_test_named_in_a_document_exists() throws IOException {
        Set<String> types = sources().keySet();
        Set<String> missing = new TreeSet<>();
        for (Path page : pages()) {
            Matcher tests = TEST.matcher(Files.readString(page));
            while (tests.find()) {
                if (!types.contains(tests.group(1))) {
                    missing.add(ROOT.relativize(page) + ": " + tests.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void the_architecture_lists_every_package_of_the_core_and_every_module() throws IOException {
        String page = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
        Set<String> listed = new TreeSet<>();
        Matcher rows = FIRST_CELL.matcher(page);
        while (rows.find()) {
            listed.add(rows.group(1));
        }
        Set<String> missing = new TreeSet<>();
        for (Path file : files("package-info.java")) {
            String name = ROOT.resolve("core/src/main/java/dev/trestle")
                    .relativize(file.getParent())
                    .toString();
            if (file.startsWith(ROOT.resolve("core/src/main")) && !listed.contains(name.replace('/', '.'))) {
                missing.add(name);
            }
        }
        for (Path pom : files("pom.xml")) {
            String name = ROOT.relativize(pom.getParent()).toString();
            if (!name.isEmpty() && !listed.contains(name)) {
                missing.add(name);
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Returns the sources of all types, by name; several types may have the same name. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : files(".java")) {
            String source = Files.readString(file);
            Matcher types = NESTED.matcher(source);
            while (types.find()) {
                sources.merge(types.group(1), source, String::concat);
            }
        }
        return sources;
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
