/**
 * Shared access signatures for parts of a table. {@link dev.trestle.patterns.access.TableAccess} is the way in. Nothing here
 * talks to a service: signatures are made with the account's key, where that is.
 */
@NullMarked
package dev.trestle.patterns.access;

import org.jspecify.annotations.NullMarked;
