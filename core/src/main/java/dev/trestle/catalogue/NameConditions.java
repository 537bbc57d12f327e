package dev.trestle.catalogue;

import dev.trestle.filter.Filter;
import dev.trestle.model.EdmValue;
import java.util.List;

/**
 * Conditions on the name of a collection, as conditions on the rows of the catalogue.
 *
 * @param nameProperty what the name is called; nothing else can be compared
 */
record NameConditions(String nameProperty) implements Filter.Visitor<Filter> {
    @Override
    public Filter constant(boolean value) {
        return value ? Filter.ALL : Filter.NONE;
    }

    @Override
    public Filter comparison(Filter.Comparison comparison) {
        if (!comparison.property().equals(nameProperty)) {
            return Filter.NONE;
        }
        EdmValue literal = comparison.literal() instanceof EdmValue.Text text
                ? new EdmValue.Text(CatalogueKeys.COLLECTION_PREFIX + CatalogueKeys.folded(text.value()))
                : comparison.literal();
        return Filter.compare(Filter.ROW_KEY, comparison.operator(), literal);
    }

    @Override
    public Filter and(List<Filter> parts) {
        return Filter.and(parts.stream().map(part -> part.accept(this)).toList());
    }

    @Override
    public Filter or(List<Filter> parts) {
        return Filter.or(parts.stream().map(part -> part.accept(this)).toList());
    }

    @Override
    public Filter not(Filter part) {
        return Filter.not(part.accept(this));
    }
}
