/**
 * In-process servers for tests. Annotate a test class with {@link dev.trestle.junit.TrestleTest}, or start a
 * {@link dev.trestle.junit.Trestle} yourself.
 */
@NullMarked
package dev.trestle.junit;

import org.jspecify.annotations.NullMarked;
