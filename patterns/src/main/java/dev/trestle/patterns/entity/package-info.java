/**
 * Mapping of records and plain classes to entities: keys from templates, properties of the service's types, and the type and
 * version recorded with each entity. Start with {@link dev.trestle.patterns.entity.EntityMapping}. Sends no requests.
 */
@NullMarked
package dev.trestle.patterns.entity;

import org.jspecify.annotations.NullMarked;
