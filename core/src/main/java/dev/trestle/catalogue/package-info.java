/**
 * The catalogue of all three services: named collections with their stored access policies, and the properties of
 * a service. {@link dev.trestle.catalogue.Catalogue} is the entry type and keeps both as rows of the engine. Must
 * not know what a table, a queue or a container means.
 */
@NullMarked
package dev.trestle.catalogue;

import org.jspecify.annotations.NullMarked;
