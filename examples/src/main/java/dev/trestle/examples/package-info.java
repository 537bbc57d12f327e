/**
 * One runnable scenario for each pattern of the table design guide. {@link dev.trestle.examples.Main} runs them against any
 * service and reports for each its cost and whether its promise held.
 */
@NullMarked
package dev.trestle.examples;

import org.jspecify.annotations.NullMarked;
