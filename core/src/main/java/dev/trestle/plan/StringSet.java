package dev.trestle.plan;

import dev.trestle.filter.Operator;
import java.util.ArrayList;
import java.util.List;

/** A set of strings as disjoint, ascending intervals, none of them empty and no two adjacent. */
record StringSet(List<Interval> intervals) {
    static final StringSet ALL = new StringSet(List.of(Interval.ALL));
    static final StringSet NONE = new StringSet(List.of());

    /** Returns the strings for which a comparison with the value is true. */
    static StringSet of(Operator operator, String value) {
        return switch (operator) {
            case EQ -> new StringSet(List.of(Interval.point(value)));
            case NE -> ofNonEmpty(new Interval(Cut.FIRST, Cut.before(value)), new Interval(Cut.after(value), Cut.LAST));
            case GT -> ofNonEmpty(new Interval(Cut.after(value), Cut.LAST));
            case GE -> ofNonEmpty(new Interval(Cut.before(value), Cut.LAST));
            case LT -> ofNonEmpty(new Interval(Cut.FIRST, Cut.before(value)));
            case LE -> ofNonEmpty(new Interval(Cut.FIRST, Cut.after(value)));
        };
    }

    private static StringSet ofNonEmpty(Interval... intervals) {
        List<Interval> kept = new ArrayList<>(intervals.length);
        for (Interval interval : intervals) {
            if (!interval.isEmpty()) {
                kept.add(interval);
            }
        }
        return new StringSet(kept);
    }

    boolean isAll() {
        return intervals.size() == 1 && intervals.get(0).equals(Interval.ALL);
    }

    boolean isEmpty() {
        return intervals.isEmpty();
    }

    StringSet intersect(StringSet other) {
        if (isAll()) {
            return other;
        }
        if (other.isAll()) {
            return this;
        }
        List<Interval> common = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < intervals.size() && j < other.intervals.size()) {
            Interval a = intervals.get(i);
            Interval b = other.intervals.get(j);
            Interval both = new Interval(Cut.max(a.from(), b.from()), Cut.min(a.to(), b.to()));
            if (!both.isEmpty()) {
                common.add(both);
            }
            if (a.to().compareTo(b.to()) <= 0) {
                i++;
            } else {
                j++;
            }
        }
        return new StringSet(common);
    }

    StringSet union(StringSet other) {
        if (isAll() || other.isAll()) {
            return ALL;
        }
        List<Interval> merged = new ArrayList<>(intervals.size() + other.intervals.size());
        int i = 0;
        int j = 0;
        while (i < intervals.size() || j < other.intervals.size()) {
            boolean mine = j == other.intervals.size()
                    || (i < intervals.size()
                            && intervals
                                            .get(i)
                                            .from()
                                            .compareTo(other.intervals.get(j).from())
                                    <= 0);
            append(merged, mine ? intervals.get(i++) : other.intervals.get(j++));
        }
        return new StringSet(merged);
    }

    private static void append(List<Interval> merged, Interval next) {
        int last = merged.size() - 1;
        if (last >= 0 && merged.get(last).to().compareTo(next.from()) >= 0) {
            Interval before = merged.get(last);
            merged.set(last, new Interval(before.from(), Cut.max(before.to(), next.to())));
        } else {
            merged.add(next);
        }
    }
}
