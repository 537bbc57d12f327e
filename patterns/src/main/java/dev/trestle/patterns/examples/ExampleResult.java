package dev.trestle.patterns.examples;

import dev.trestle.patterns.examples.Meter.Measured;
import java.util.OptionalLong;

/**
 * What an example cost and whether its promise held.
 *
 * @param measured what the numbers are of, as "find an employee by e-mail address"
 * @param rowsExamined of the measured queries, where the server tells
 */
public record ExampleResult(String measured, long roundTrips, OptionalLong rowsExamined, boolean promiseHeld) {
    static ExampleResult of(String measured, Measured<?> cost, boolean promiseHeld) {
        return new ExampleResult(measured, cost.roundTrips(), cost.rowsExamined(), promiseHeld);
    }
}
