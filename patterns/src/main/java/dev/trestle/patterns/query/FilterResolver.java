package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Resolves a filter for a mapping: replaces attributes by property or key names, and values by stored values. */
final class FilterResolver {
    private FilterResolver() {}

    static Filter resolve(Filter filter, EntityMapping<?> mapping) {
        if (filter instanceof Filter.Comparison comparison) {
            return resolve(comparison, mapping);
        } else if (filter instanceof Filter.StartsWith prefix) {
            return resolve(prefix, mapping);
        } else if (filter instanceof Filter.All all) {
            return new Filter.All(
                    all.filters().stream().map(part -> resolve(part, mapping)).toList());
        } else if (filter instanceof Filter.Any any) {
            return new Filter.Any(
                    any.filters().stream().map(part -> resolve(part, mapping)).toList());
        } else if (filter instanceof Filter.Not not) {
            return new Filter.Not(resolve(not.filter(), mapping));
        }
        throw new AssertionError(filter);
    }

    private static Filter resolve(Filter.Comparison comparison, EntityMapping<?> mapping) {
        if (!(comparison.operand() instanceof Operand.Declared declared)) {
            return comparison;
        }
        Place place = place(declared, mapping);
        Operator operator = comparison.operator();
        Object stored = place.stored(comparison.value());
        if (place instanceof Place.InKey key && operator != Operator.EQ && operator != Operator.NE) {
            return ofKey(key, operator, stored, declared);
        }
        return new Filter.Comparison(new Operand.Named(place.name()), operator, stored);
    }

    private static Place place(Operand.Declared declared, EntityMapping<?> mapping) {
        Place place = mapping.place(declared.owner(), declared.attribute());
        if (place instanceof Place.InProperty property && !property.opaque().isEmpty()) {
            throw new IllegalArgumentException(property.opaque());
        }
        return place;
    }

    /** Bounds a key range by the literal prefix of the template, because other entities have other prefixes. */
    private static Filter ofKey(Place.InKey key, Operator operator, Object stored, Operand.Declared declared) {
        if (key.ordering() == 0 || !key.suffix().isEmpty()) {
            throw new IllegalArgumentException(declared.attribute() + " is stored in the " + key.name()
                    + " in a format that does not preserve its order: use only eq and ne");
        }
        Operand name = new Operand.Named(key.name());
        List<Filter> bounds = new ArrayList<>();
        Operator inKey = key.ordering() < 0 ? operator.reversed() : operator;
        boolean upwards = inKey == Operator.GT || inKey == Operator.GE;
        bounds.add(new Filter.Comparison(name, inKey, stored));
        if (!key.prefix().isEmpty()) {
            bounds.add(
                    upwards
                            ? new Filter.Comparison(name, Operator.LT, PrefixRanges.after(key.prefix()))
                            : new Filter.Comparison(name, Operator.GE, key.prefix()));
        }
        return new Filter.All(bounds);
    }

    private static Filter resolve(Filter.StartsWith filter, EntityMapping<?> mapping) {
        String name;
        String prefix = filter.prefix();
        if (filter.operand() instanceof Operand.Declared declared) {
            Place place = place(declared, mapping);
            name = place.name();
            if (place instanceof Place.InKey key) {
                prefix = key.prefix() + prefix;
            } else if (!isText(place, prefix)) {
                throw new IllegalArgumentException(declared.attribute() + " is not a string: startsWith needs one");
            }
        } else {
            name = ((Operand.Named) filter.operand()).name();
        }
        return PrefixRanges.range(new Operand.Named(name), prefix);
    }

    /** Returns the property and key names in a resolved filter. */
    static Set<String> names(Filter filter) {
        Set<String> names = new LinkedHashSet<>();
        if (filter instanceof Filter.Comparison comparison) {
            names.add(((Operand.Named) comparison.operand()).name());
        } else if (filter instanceof Filter.All all) {
            all.filters().forEach(part -> names.addAll(names(part)));
        } else if (filter instanceof Filter.Any any) {
            any.filters().forEach(part -> names.addAll(names(part)));
        } else if (filter instanceof Filter.Not not) {
            names.addAll(names(not.filter()));
        }
        return names;
    }

    private static boolean isText(Place place, String prefix) {
        try {
            return place.stored(prefix) instanceof String;
        } catch (ClassCastException e) {
            return false;
        }
    }
}
