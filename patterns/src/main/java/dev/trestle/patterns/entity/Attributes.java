package dev.trestle.patterns.entity;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Determines the attributes of a class and reports those that cannot be stored. */
final class Attributes {
    /** The service's limit of 255 without the two keys and the timestamp. */
    private static final int PROPERTIES_MAX = 252;

    private static final int NAME_LENGTH_MAX = 255;
    private static final Set<String> RESERVED_NAMES = Set.of(EntityKey.PARTITION_KEY, EntityKey.ROW_KEY, "Timestamp");

    private Attributes() {}

    static Map<String, Attribute> of(ClassShape shape, Naming naming, boolean recorded, Problems problems) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        Set<String> names = new HashSet<>(recorded ? List.of(EntityType.TYPE, EntityType.VERSION) : List.of());
        int own = names.size();
        for (int i = 0; i < shape.members().size(); i++) {
            Member member = shape.members().get(i);
            if (member.has(Extra.class)) {
                checkExtra(member, problems);
            } else if (!member.has(Ignored.class)) {
                Attribute attribute = attribute(i, member, naming, problems);
                checkName(attribute, names, problems);
                attributes.put(member.name(), attribute);
            }
        }
        if (shape.members().stream().filter(member -> member.has(Extra.class)).count() > 1) {
            problems.add("more than one component is @Extra: keep one");
        }
        if (attributes.size() + own > PROPERTIES_MAX) {
            problems.add("it has " + (attributes.size() + own) + " properties and an entity holds at most "
                    + PROPERTIES_MAX + ": use the wide entities pattern");
        }
        return attributes;
    }

    private static Attribute attribute(int index, Member member, Naming naming, Problems problems) {
        String name =
                member.annotation(Property.class).map(Property::value).orElseGet(() -> naming.apply(member.name()));
        Codec codec = member.annotation(Converted.class)
                .map(converted -> converted(converted.value(), member, problems))
                .orElseGet(() -> Codecs.of(Codecs.unwrapped(member.type()), problems, member.name()));
        boolean encrypted = member.has(Encrypted.class);
        if (encrypted && codec.storedType() != String.class) {
            problems.add(member.name() + " is @Encrypted and stored as "
                    + codec.storedType().getSimpleName()
                    + ": only strings can be encrypted; convert it with @Converted");
        }
        return new Attribute(index, member, name, codec, encrypted);
    }

    @SuppressWarnings("unchecked") // The type arguments were read from the converter's class.
    private static Codec converted(Class<? extends Converter<?, ?>> type, Member member, Problems problems) {
        Optional<Class<?>> stored = storedType(type);
        if (stored.isEmpty() || Codecs.simple(stored.get()).isEmpty()) {
            problems.add(member.name() + " has a converter, " + type.getSimpleName()
                    + ", whose stored type is unknown: let it implement Converter<V, S> directly, with S a type of the"
                    + " service");
            throw problems.exception();
        }
        Converter<Object, Object> converter =
                (Converter<Object, Object>) ClassShape.of(type, problems).create(new Object[0]);
        return new Codec(stored.get(), false, converter::toStored, converter::fromStored);
    }

    private static Optional<Class<?>> storedType(Class<?> converter) {
        for (Type type : converter.getGenericInterfaces()) {
            if (type instanceof ParameterizedType generic
                    && generic.getRawType() == Converter.class
                    && (generic.getActualTypeArguments()[1] instanceof Class<?> stored)) {
                return Optional.of(stored);
            }
        }
        return Optional.empty();
    }

    private static void checkExtra(Member member, Problems problems) {
        if (!member.type().getTypeName().equals("java.util.Map<java.lang.String, java.lang.Object>")) {
            problems.add(member.name() + " is @Extra and has to be a Map<String, Object>");
        }
    }

    private static void checkName(Attribute attribute, Set<String> names, Problems problems) {
        String name = attribute.propertyName();
        if (!isPropertyName(name)) {
            problems.add("\"" + name + "\" is not a property name: use letters, digits and underscores, at most "
                    + NAME_LENGTH_MAX + ", and no digit first");
        } else if (RESERVED_NAMES.contains(name)) {
            problems.add(attribute.name() + " would be the property " + name
                    + ", which is the service's own: rename it with @Property, or make it a key");
        } else if (!names.add(name)) {
            problems.add("two attributes would be the property " + name + ": rename one with @Property");
        }
    }

    static boolean isPropertyName(String name) {
        return name.length() <= NAME_LENGTH_MAX && name.matches("[\\p{L}_][\\p{L}\\p{Nd}_]*");
    }
}
