/**
 * Programs and libraries that use Azure Storage, doing their ordinary work against a server process. They run with
 * {@code -Pclients} only, because they need programs that a build machine may not have. Nothing in this package may know
 * a class of the product.
 */
@NullMarked
package dev.trestle.clients;

import org.jspecify.annotations.NullMarked;
