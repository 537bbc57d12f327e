/**
 * Histories of concurrent operations on a few rows, and whether some order explains them: record with
 * {@link dev.trestle.testkit.history.History}, make one with {@link dev.trestle.testkit.history.Workload}, judge with
 * {@link dev.trestle.testkit.history.HistoryCheck}. It knows nothing of the product, so that black-box tests can use it
 * on a server as well as engine tests on an engine.
 */
@NullMarked
package dev.trestle.testkit.history;

import org.jspecify.annotations.NullMarked;
