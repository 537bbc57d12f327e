/**
 * The guide's own scenarios, one for each pattern, to be read and to be run against any service:
 * {@link dev.trestle.patterns.examples.Main} runs them and tells what each cost and whether its promise held.
 */
@NullMarked
package dev.trestle.patterns.examples;

import org.jspecify.annotations.NullMarked;
