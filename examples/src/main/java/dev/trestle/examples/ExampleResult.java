package dev.trestle.examples;

import dev.trestle.examples.Meter.Measured;
import java.util.OptionalLong;

/**
 * The cost of an example and whether its promise held.
 *
 * @param measured the operation that was measured, such as "find an employee by e-mail address"
 * @param rowsExamined the rows that the measured queries examined, if the server reports them
 */
record ExampleResult(String measured, long roundTrips, OptionalLong rowsExamined, boolean promiseHeld) {
    static ExampleResult of(String measured, Measured<?> cost, boolean promiseHeld) {
        return new ExampleResult(measured, cost.roundTrips(), cost.rowsExamined(), promiseHeld);
    }
}
