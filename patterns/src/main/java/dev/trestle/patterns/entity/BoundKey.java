package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key template bound to the attributes of a class: formats and parses keys. */
final class BoundKey {
    private final KeyTemplate template;
    private final List<Part> parts;
    private final List<Part> components;
    private final boolean separable;

    /** Either a literal, or an attribute with its format. */
    private record Part(
            String literal,
            @Nullable Attribute attribute,
            @Nullable KeyFormat format) {
        String formatted(Object value, String following) {
            KeyFormat known = format();
            Attribute owner = attribute();
            if (known == null || owner == null) {
                return literal;
            }
            String text = known.format(value);
            if (known.width() == 0 && known.invertible() && !following.isEmpty() && text.contains(following)) {
                throw new IllegalArgumentException("'" + text + "' of " + owner.name() + " contains '" + following
                        + "', which separates it from the rest of the key: use the format \"escaped\"");
            }
            return text;
        }
    }

    private BoundKey(KeyTemplate template, List<Part> parts) {
        this.template = template;
        this.parts = List.copyOf(parts);
        this.components = parts.stream().filter(part -> part.attribute != null).toList();
        this.separable = isSeparable(parts);
    }

    static BoundKey bind(KeyTemplate template, Map<String, Attribute> attributes, Problems problems) {
        List<Part> bound = new ArrayList<>();
        List<KeyTemplate.Part> parts = template.parts();
        for (int i = 0; i < parts.size(); i++) {
            KeyTemplate.Part part = parts.get(i);
            char end = i + 1 < parts.size() && parts.get(i + 1).isLiteral()
                    ? parts.get(i + 1).literal().charAt(0)
                    : 0;
            bound.add(
                    part.isLiteral()
                            ? new Part(part.literal(), null, null)
                            : component(part, attributes, problems, end));
        }
        return new BoundKey(template, bound);
    }

    private static Part component(
            KeyTemplate.Part part, Map<String, Attribute> attributes, Problems problems, char end) {
        Attribute attribute = attributes.get(part.component());
        if (attribute == null) {
            problems.add("the key refers to {" + part.component() + "}, which does not exist; the components are "
                    + String.join(", ", attributes.keySet()));
            return new Part("", null, null);
        } else if (attribute.isOptional()) {
            problems.add(attribute.name() + " is part of a key and cannot be Optional: an entity always has its keys");
        } else if (attribute.encrypted()) {
            problems.add(attribute.name() + " is part of a key and cannot be @Encrypted: keys are sent as they are");
        }
        try {
            return new Part("", attribute, KeyFormats.find(part.format(), attribute, end));
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
            return new Part("", null, null);
        }
    }

    private static boolean isSeparable(List<Part> parts) {
        for (int i = 0; i + 1 < parts.size(); i++) {
            KeyFormat format = parts.get(i).format();
            if (format != null && format.width() == 0 && parts.get(i + 1).format() != null) {
                return false;
            }
        }
        return true;
    }

    KeyTemplate template() {
        return template;
    }

    /** Returns whether the value of an attribute can be parsed from the key. */
    boolean holds(Attribute attribute) {
        return separable
                && components.stream().anyMatch(part -> attribute.equals(part.attribute()) && invertible(part));
    }

    private static boolean invertible(Part part) {
        KeyFormat format = part.format();
        return format != null && format.invertible();
    }

    /** Returns the format of the attribute if it is the only component. */
    Optional<KeyFormat> formatOfOnly(Attribute attribute) {
        boolean only =
                components.size() == 1 && attribute.equals(components.get(0).attribute());
        return only ? Optional.ofNullable(components.get(0).format()) : Optional.empty();
    }

    boolean beginsWithClock() {
        Part first = components.isEmpty() ? null : components.get(0);
        KeyFormat format = first == null ? null : first.format();
        return format != null && format.clock();
    }

    String literalBefore() {
        return !parts.isEmpty() && parts.get(0).attribute() == null
                ? parts.get(0).literal()
                : "";
    }

    String literalAfter() {
        Part last = parts.get(parts.size() - 1);
        return last.attribute() == null ? last.literal() : "";
    }

    /** Returns the key of an object with these member values. */
    String format(@Nullable Object[] members) {
        List<Object> values = new ArrayList<>();
        for (Part part : components) {
            Attribute attribute = part.attribute();
            Object value = attribute == null ? null : members[attribute.index()];
            if (value == null) {
                throw new IllegalArgumentException("The key " + template + " cannot be made: "
                        + (attribute == null ? "?" : attribute.name()) + " is null");
            }
            values.add(value);
        }
        return joined(values);
    }

    /** Returns the key with these components, or its prefix before the first missing one. */
    String joined(List<?> values) {
        if (values.size() > components.size()) {
            throw new IllegalArgumentException(
                    "The key " + template + " has " + components.size() + " components, not " + values.size());
        }
        StringBuilder key = new StringBuilder();
        int next = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.attribute() == null) {
                key.append(part.literal());
            } else if (next == values.size()) {
                break;
            } else {
                String following = i + 1 < parts.size() ? parts.get(i + 1).literal() : "";
                key.append(part.formatted(values.get(next++), following));
            }
        }
        return KeyEscaping.checked(key.toString());
    }

    int size() {
        return components.size();
    }

    /** Parses a key into the member values; returns false if the key does not match the template. */
    boolean parse(String key, @Nullable Object[] members) {
        if (!separable) {
            return key.startsWith(literalBefore());
        }
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            KeyFormat format = part.format();
            Attribute attribute = part.attribute();
            int end;
            if (format == null || attribute == null) {
                if (!key.startsWith(part.literal(), at)) {
                    return false;
                }
                end = at + part.literal().length();
            } else {
                end = endOf(
                        key, at, format, i + 1 < parts.size() ? parts.get(i + 1).literal() : "");
                if (end < 0 || end > key.length() || !put(key.substring(at, end), format, attribute, members)) {
                    return false;
                }
            }
            at = end;
        }
        return at == key.length();
    }

    private static int endOf(String key, int at, KeyFormat format, String following) {
        if (format.width() > 0) {
            return at + format.width();
        }
        return following.isEmpty() ? key.length() : key.indexOf(following, at);
    }

    private static boolean put(String text, KeyFormat format, Attribute attribute, @Nullable Object[] members) {
        try {
            Object value = format.parse(text);
            if (value != null && members[attribute.index()] == null) {
                members[attribute.index()] = value;
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
