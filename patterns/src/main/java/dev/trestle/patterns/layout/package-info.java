/**
 * How entities are laid out so that what is asked often is cheap: series in one entity, entities wider or larger than one may
 * be, tables that are dropped whole, keys that spread, logs in blobs, and data kept twice or joined here.
 */
@NullMarked
package dev.trestle.patterns.layout;

import org.jspecify.annotations.NullMarked;
