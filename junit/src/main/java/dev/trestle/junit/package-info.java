/**
 * A server for a test class. {@link dev.trestle.junit.TrestleTest} is the way in; {@link dev.trestle.junit.Trestle} is the
 * server, for those who start it themselves.
 */
@NullMarked
package dev.trestle.junit;

import org.jspecify.annotations.NullMarked;
