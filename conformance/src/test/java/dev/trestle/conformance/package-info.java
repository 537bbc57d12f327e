/**
 * Trestle seen from outside: a real server process, spoken to over TCP by an official SDK or by bytes written here.
 * Nothing in this package may know a class of the product.
 */
@NullMarked
package dev.trestle.conformance;

import org.jspecify.annotations.NullMarked;
