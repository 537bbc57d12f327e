/**
 * Encryption of single properties before they leave the process: a content key for each entity, wrapped by a key that the
 * application keeps. {@link dev.trestle.patterns.crypto.PropertyEncryption} is the way in. Knows rows, not classes.
 */
@NullMarked
package dev.trestle.patterns.crypto;

import org.jspecify.annotations.NullMarked;
