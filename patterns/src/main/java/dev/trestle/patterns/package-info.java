/**
 * Typed tables on the official SDK: reading, asking, writing, in bulk and in transactions, waiting and reactive.
 * {@link dev.trestle.patterns.EntityTable} and {@link dev.trestle.patterns.AsyncEntityTable} are the ways in. Works the same on
 * every Table service and knows nothing of any server.
 */
@NullMarked
package dev.trestle.patterns;

import org.jspecify.annotations.NullMarked;
