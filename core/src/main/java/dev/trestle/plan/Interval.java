package dev.trestle.plan;

/** The strings between two cuts. */
record Interval(Cut from, Cut to) {
    static final Interval ALL = new Interval(Cut.FIRST, Cut.LAST);

    static Interval point(String value) {
        return new Interval(Cut.before(value), Cut.after(value));
    }

    boolean isPoint() {
        return from.value() != null && from.value().equals(to.value()) && !from.after() && to.after();
    }

    boolean isEmpty() {
        return from.compareTo(to) >= 0;
    }
}
