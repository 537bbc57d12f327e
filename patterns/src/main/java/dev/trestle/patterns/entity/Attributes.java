package dev.trestle.patterns.entity;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Works out the attributes of a class, and complains of those that cannot be stored. */
final class Attributes {
    /** What is left of the service's 255 when the two keys and the timestamp are taken off. */
    private static final int PROPERTIES_MAX = 252;

    private static final int NAME_LENGTH_MAX = 255;
    private static final Set<String> OF_THE_SERVICE = Set.of(EntityKey.PARTITION_KEY, EntityKey.ROW_KEY, "Timestamp");

    private Attributes() {}

    static Map<String, Attribute> of(ClassShape shape, Naming naming, boolean recorded, Complaints complaints) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        Set<String> names = new HashSet<>(recorded ? List.of(EntityType.TYPE, EntityType.VERSION) : List.of());
        int own = names.size();
        for (int i = 0; i < shape.members().size(); i++) {
            Member member = shape.members().get(i);
            if (member.has(Extra.class)) {
                checkExtra(member, complaints);
            } else if (!member.has(Ignored.class)) {
                Attribute attribute = attribute(i, member, naming, complaints);
                checkName(attribute, names, complaints);
                attributes.put(member.name(), attribute);
            }
        }
        if (shape.members().stream().filter(member -> member.has(Extra.class)).count() > 1) {
            complaints.add("more than one component is @Extra: leave one");
        }
        if (attributes.size() + own > PROPERTIES_MAX) {
            complaints.add("it has " + (attributes.size() + own) + " properties and an entity holds at most "
                    + PROPERTIES_MAX + ": split it as the wide entities pattern does");
        }
        return attributes;
    }

    private static Attribute attribute(int index, Member member, Naming naming, Complaints complaints) {
        String name =
                member.annotation(Property.class).map(Property::value).orElseGet(() -> naming.apply(member.name()));
        Codec codec = member.annotation(Converted.class)
                .map(converted -> converted(converted.value(), member, complaints))
                .orElseGet(() -> Codecs.of(Codecs.unwrapped(member.type()), complaints, member.name()));
        boolean encrypted = member.has(Encrypted.class);
        if (encrypted && codec.storedType() != String.class) {
            complaints.add(member.name() + " is @Encrypted and stored as "
                    + codec.storedType().getSimpleName()
                    + ": only what is stored as a string can be; convert it with @Converted");
        }
        return new Attribute(index, member, name, codec, encrypted);
    }

    @SuppressWarnings("unchecked") // The converter's own type parameters were read from its class.
    private static Codec converted(Class<? extends Converter<?, ?>> type, Member member, Complaints complaints) {
        Optional<Class<?>> stored = storedType(type);
        if (stored.isEmpty() || Codecs.simple(stored.get()).isEmpty()) {
            complaints.add(member.name() + " has a converter, " + type.getSimpleName()
                    + ", that does not say which type it stores: let it implement Converter<V, S> itself, with S a type of"
                    + " the service");
            throw complaints.exception();
        }
        Converter<Object, Object> converter =
                (Converter<Object, Object>) ClassShape.of(type, complaints).create(new Object[0]);
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

    private static void checkExtra(Member member, Complaints complaints) {
        if (!member.type().getTypeName().equals("java.util.Map<java.lang.String, java.lang.Object>")) {
            complaints.add(member.name() + " is @Extra and has to be a Map<String, Object>");
        }
    }

    private static void checkName(Attribute attribute, Set<String> names, Complaints complaints) {
        String name = attribute.propertyName();
        if (!isPropertyName(name)) {
            complaints.add("\"" + name + "\" is no name for a property: use letters, digits and underscores, at most "
                    + NAME_LENGTH_MAX + ", and no digit first");
        } else if (OF_THE_SERVICE.contains(name)) {
            complaints.add(attribute.name() + " would be the property " + name
                    + ", which is the service's own: name it otherwise with @Property, or make it a key");
        } else if (!names.add(name)) {
            complaints.add("two attributes would be the property " + name + ": name one otherwise with @Property");
        }
    }

    static boolean isPropertyName(String name) {
        return name.length() <= NAME_LENGTH_MAX && name.matches("[\\p{L}_][\\p{L}\\p{Nd}_]*");
    }
}
