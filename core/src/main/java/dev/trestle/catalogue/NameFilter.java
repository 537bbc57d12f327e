package dev.trestle.catalogue;

import dev.trestle.filter.Filter;
import dev.trestle.model.EdmValue;
import java.util.List;

/**
 * Rewrites a filter on the name of a collection into a filter on the rows of the catalogue.
 *
 * @param nameProperty the property that holds the name; comparisons of any other property match nothing
 */
record NameFilter(String nameProperty) implements Filter.Visitor<Filter> {
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
