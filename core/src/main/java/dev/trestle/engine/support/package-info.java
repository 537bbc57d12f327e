/** Helpers that engines share: a bounded worker pool, failure unwrapping, file permissions. No engine interface. */
@NullMarked
package dev.trestle.engine.support;

import org.jspecify.annotations.NullMarked;
