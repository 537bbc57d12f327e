package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.List;

/**
 * How a key is made of components: text as it is, and components in braces, each with a format where needed.
 *
 * <table>
 * <caption>Formats</caption>
 * <tr><td>{@code {department}}</td><td>text, enums, UUIDs, dates, booleans as they are</td></tr>
 * <tr><td>{@code {id:000000}}</td><td>a whole number of six digits; negative numbers are refused</td></tr>
 * <tr><td>{@code {balance:+000000}}</td><td>a whole number moved up by half, so that negative ones sort first</td></tr>
 * <tr><td>{@code {id:plain}}</td><td>a whole number as it is, which sorts as text</td></tr>
 * <tr><td>{@code {at:ticks}}</td><td>a moment, oldest first: see {@link Ticks}</td></tr>
 * <tr><td>{@code {at:inverted}}</td><td>a moment, newest first: see {@link InvertedTicks}</td></tr>
 * <tr><td>{@code {day:yyyyMMdd}}</td><td>a date or moment by a pattern, moments in UTC</td></tr>
 * <tr><td>{@code {email:lower}}, {@code {email:upper}}</td><td>text in one case</td></tr>
 * <tr><td>{@code {path:escaped}}</td><td>text in which what keys may not contain is written as {@code =hhhh}</td></tr>
 * <tr><td>{@code {id:bucket16}}</td><td>one of so many buckets, always the same for the same value</td></tr>
 * </table>
 *
 * <p>A brace itself is written twice. A component that is the only one of a key, in a format that can be read back, is not
 * stored a second time as a property.
 */
public final class KeyTemplate {
    private final String text;
    private final List<Part> parts;

    private KeyTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    /** A literal has no component. */
    record Part(String literal, String component, String format) {
        static Part literal(String text) {
            return new Part(text, "", "");
        }

        boolean isLiteral() {
            return component.isEmpty();
        }
    }

    /** Reads a template, or says what is wrong with it. */
    public static KeyTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                literal.append(c);
                at += 2;
            } else if (c == '{') {
                int end = text.indexOf('}', at);
                if (end < 0) {
                    throw new IllegalArgumentException(
                            "template \"" + text + "\" opens a brace that it does not close");
                }
                addLiteral(parts, literal);
                parts.add(component(text.substring(at + 1, end)));
                at = end + 1;
            } else if (c == '}') {
                throw new IllegalArgumentException("template \"" + text + "\" closes a brace that it did not open");
            } else {
                literal.append(c);
                at++;
            }
        }
        addLiteral(parts, literal);
        return new KeyTemplate(text, parts);
    }

    private static void addLiteral(List<Part> parts, StringBuilder literal) {
        if (!literal.isEmpty()) {
            parts.add(Part.literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static Part component(String inside) {
        int colon = inside.indexOf(':');
        String name = (colon < 0 ? inside : inside.substring(0, colon)).strip();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("{" + inside + "} names no component");
        }
        return new Part("", name, colon < 0 ? "" : inside.substring(colon + 1).strip());
    }

    List<Part> parts() {
        return parts;
    }

    /** The names of the components, in their order. */
    public List<String> components() {
        return parts.stream()
                .filter(part -> !part.isLiteral())
                .map(Part::component)
                .toList();
    }

    /** Whether every key made of this is the same. */
    public boolean isConstant() {
        return components().isEmpty();
    }

    @Override
    public String toString() {
        return text;
    }
}
