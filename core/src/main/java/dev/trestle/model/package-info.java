/**
 * The value types of the services: names, keys, typed property values, times, limits, pages and errors. Each is
 * valid by construction. Must not know how values are stored, queried or sent.
 */
@NullMarked
package dev.trestle.model;

import org.jspecify.annotations.NullMarked;
