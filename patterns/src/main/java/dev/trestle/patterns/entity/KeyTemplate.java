package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.List;

/**
 * The template of a key: literal text, and components in braces with an optional format.
 *
 * <table>
 * <caption>Formats</caption>
 * <tr><td>{@code {department}}</td><td>a string, enum, UUID, date or boolean, unchanged</td></tr>
 * <tr><td>{@code {id:000000}}</td><td>an integer zero-padded to six digits; negative numbers are rejected</td></tr>
 * <tr><td>{@code {balance:+000000}}</td><td>an integer shifted by half the range, so that negative numbers sort first</td></tr>
 * <tr><td>{@code {id:plain}}</td><td>an integer without padding, which sorts as text</td></tr>
 * <tr><td>{@code {at:ticks}}</td><td>a time, oldest first: see {@link Ticks}</td></tr>
 * <tr><td>{@code {at:inverted}}</td><td>a time, newest first: see {@link InvertedTicks}</td></tr>
 * <tr><td>{@code {day:yyyyMMdd}}</td><td>a date or time by a pattern, times in UTC</td></tr>
 * <tr><td>{@code {email:lower}}, {@code {email:upper}}</td><td>a string in lower or upper case</td></tr>
 * <tr><td>{@code {path:escaped}}</td><td>a string with forbidden characters escaped as {@code =hhhh}</td></tr>
 * <tr><td>{@code {id:bucket16}}</td><td>the number of one of 16 buckets, by a hash of the value</td></tr>
 * </table>
 *
 * <p>Double a brace to escape it. An attribute that is the only component of a key, in a format that can be parsed, is not also
 * stored as a property.
 */
public final class KeyTemplate {
    private final String text;
    private final List<Part> parts;

    private KeyTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    /** Either a literal, or a component with its format. */
    record Part(String literal, String component, String format) {
        static Part literal(String text) {
            return new Part(text, "", "");
        }

        boolean isLiteral() {
            return component.isEmpty();
        }
    }

    /** Parses a template; throws an {@link IllegalArgumentException} if it is malformed. */
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

    /** Returns the names of the components, in order. */
    public List<String> components() {
        return parts.stream()
                .filter(part -> !part.isLiteral())
                .map(Part::component)
                .toList();
    }

    /** Returns whether the template has no components, so that all keys are equal. */
    public boolean isConstant() {
        return components().isEmpty();
    }

    @Override
    public String toString() {
        return text;
    }
}
