/**
 * The nouns of the service: names, keys, typed values, limits and errors, each valid by construction. Nothing here
 * knows how a noun is stored, asked for or written on the wire.
 */
@NullMarked
package dev.trestle.model;

import org.jspecify.annotations.NullMarked;
