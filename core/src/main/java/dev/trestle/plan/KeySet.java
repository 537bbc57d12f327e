package dev.trestle.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of (partition key, row key) pairs: disjoint, ascending intervals of partition keys, each with a set of row
 * keys. Closed under union and intersection, so every combination of conditions on keys has an exact set. A set of
 * more than {@link #PARTS_MAX} parts is widened to a superset and marked as coarse.
 */
record KeySet(List<Box> boxes, boolean coarse) {
    /** Bounds the work of planning and the seeks of a page. A filter of 64 KiB stays below it. */
    static final int PARTS_MAX = 8192;

    static final KeySet ALL = new KeySet(List.of(new Box(Interval.ALL, StringSet.ALL)), false);
    static final KeySet NONE = new KeySet(List.of(), false);

    /** The pairs of a partition key of the interval and a row key of the set. */
    record Box(Interval partitions, StringSet rows) {}

    static KeySet ofPartitions(StringSet partitions) {
        return new KeySet(
                partitions.intervals().stream()
                        .map(interval -> new Box(interval, StringSet.ALL))
                        .toList(),
                false);
    }

    static KeySet ofRows(StringSet rows) {
        return rows.isEmpty() ? NONE : new KeySet(List.of(new Box(Interval.ALL, rows)), false);
    }

    KeySet intersect(KeySet other) {
        List<Box> common = new ArrayList<>();
        int parts = 0;
        int i = 0;
        int j = 0;
        while (i < boxes.size() && j < other.boxes.size()) {
            Interval a = boxes.get(i).partitions();
            Interval b = other.boxes.get(j).partitions();
            Cut from = Cut.max(a.from(), b.from());
            Cut to = Cut.min(a.to(), b.to());
            if (from.compareTo(to) < 0) {
                StringSet rows = parts > PARTS_MAX
                        ? StringSet.ALL
                        : boxes.get(i).rows().intersect(other.boxes.get(j).rows());
                parts += append(common, from, to, rows);
            }
            if (a.to().compareTo(b.to()) <= 0) {
                i++;
            } else {
                j++;
            }
        }
        return bounded(common, parts, coarse || other.coarse);
    }

    KeySet union(KeySet other) {
        List<Box> merged = new ArrayList<>();
        int parts = 0;
        int i = 0;
        int j = 0;
        Cut at = Cut.FIRST;
        while (i < boxes.size() || j < other.boxes.size()) {
            StringSet mine = rowsAt(boxes, i, at);
            StringSet theirs = rowsAt(other.boxes, j, at);
            StringSet rows =
                    parts > PARTS_MAX && !(mine.isEmpty() && theirs.isEmpty()) ? StringSet.ALL : mine.union(theirs);
            Cut next = Cut.min(edgeAfter(boxes, i, at), edgeAfter(other.boxes, j, at));
            parts += append(merged, at, next, rows);
            at = next;
            i += endsAt(boxes, i, at);
            j += endsAt(other.boxes, j, at);
        }
        return bounded(merged, parts, coarse || other.coarse);
    }

    private static StringSet rowsAt(List<Box> boxes, int index, Cut at) {
        boolean covers =
                index < boxes.size() && boxes.get(index).partitions().from().compareTo(at) <= 0;
        return covers ? boxes.get(index).rows() : StringSet.NONE;
    }

    /** Returns the next position after {@code at} at which the box begins or ends. */
    private static Cut edgeAfter(List<Box> boxes, int index, Cut at) {
        if (index >= boxes.size()) {
            return Cut.LAST;
        }
        Interval interval = boxes.get(index).partitions();
        return interval.from().compareTo(at) > 0 ? interval.from() : interval.to();
    }

    private static int endsAt(List<Box> boxes, int index, Cut at) {
        return index < boxes.size() && boxes.get(index).partitions().to().equals(at) ? 1 : 0;
    }

    /**
     * Adds a box, or extends the last one if they touch and have the same rows. Returns the number of new parts.
     */
    private static int append(List<Box> boxes, Cut from, Cut to, StringSet rows) {
        if (rows.isEmpty() || from.compareTo(to) >= 0) {
            return 0;
        }
        int last = boxes.size() - 1;
        if (last >= 0
                && boxes.get(last).partitions().to().equals(from)
                && boxes.get(last).rows().equals(rows)) {
            boxes.set(last, new Box(new Interval(boxes.get(last).partitions().from(), to), rows));
            return 0;
        }
        boxes.add(new Box(new Interval(from, to), rows));
        return rows.intervals().size();
    }

    /**
     * Returns the set of these boxes, widened if they have too many parts.
     *
     * @param parts counted while the boxes were built, which stops combining rows at the limit: thousands of
     *     partitions with thousands of rows each would not fit into memory
     */
    private static KeySet bounded(List<Box> boxes, int parts, boolean coarse) {
        if (parts <= PARTS_MAX) {
            return new KeySet(boxes, coarse);
        }
        // First keep the partitions without their rows. If that is still too much, keep only the first and last
        // position.
        List<Box> coarser = new ArrayList<>();
        for (Box box : boxes) {
            append(coarser, box.partitions().from(), box.partitions().to(), StringSet.ALL);
        }
        if (coarser.size() > PARTS_MAX) {
            Cut from = coarser.get(0).partitions().from();
            Cut to = coarser.get(coarser.size() - 1).partitions().to();
            coarser = List.of(new Box(new Interval(from, to), StringSet.ALL));
        }
        return new KeySet(coarser, true);
    }
}
