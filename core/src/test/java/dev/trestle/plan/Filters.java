package dev.trestle.plan;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import java.util.List;

/** Short names for filters in tests of plans. */
final class Filters {
    private Filters() {}

    static Filter pk(Operator operator, String key) {
        return Filter.compare(Filter.PARTITION_KEY, operator, new EdmValue.Text(key));
    }

    static Filter rk(Operator operator, String key) {
        return Filter.compare(Filter.ROW_KEY, operator, new EdmValue.Text(key));
    }

    static Filter pk(String key) {
        return pk(Operator.EQ, key);
    }

    static Filter rk(String key) {
        return rk(Operator.EQ, key);
    }

    static Filter age(int age) {
        return Filter.compare("Age", Operator.GT, new EdmValue.Int32(age));
    }

    static Filter and(Filter... parts) {
        return Filter.and(List.of(parts));
    }

    static Filter or(Filter... parts) {
        return Filter.or(List.of(parts));
    }

    static Filter not(Filter part) {
        return Filter.not(part);
    }
}
