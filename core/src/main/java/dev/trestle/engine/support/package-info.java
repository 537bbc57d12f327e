/**
 * Helpers that engines share: a bounded worker pool, timers, failure unwrapping, file permissions. Not part of the
 * SPI.
 */
@NullMarked
package dev.trestle.engine.support;

import org.jspecify.annotations.NullMarked;
