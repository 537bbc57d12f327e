/**
 * What an account holds, for all three services alike: named collections with their stored access policies, and the
 * properties of a service. {@link dev.trestle.catalogue.Catalogue} keeps both as rows of the engine.
 */
@NullMarked
package dev.trestle.catalogue;

import org.jspecify.annotations.NullMarked;
