/**
 * How records and plain classes become entities and back: keys from templates, properties of the service's types, the
 * type and version of each entity. {@link dev.trestle.patterns.entity.EntityMapping} is the way in. Nothing here talks to
 * a service.
 */
@NullMarked
package dev.trestle.patterns.entity;

import org.jspecify.annotations.NullMarked;
