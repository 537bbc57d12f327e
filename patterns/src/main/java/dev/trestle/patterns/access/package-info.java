/**
 * Shared access signatures (SAS) for parts of a table. Start with {@link dev.trestle.patterns.access.TableAccess}. Signatures are
 * made locally with the account key, without a request to the service.
 */
@NullMarked
package dev.trestle.patterns.access;

import org.jspecify.annotations.NullMarked;
