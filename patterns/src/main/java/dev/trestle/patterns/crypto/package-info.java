/**
 * Client-side encryption of properties: each entity has a content key, wrapped by a key that the application keeps. Start with
 * {@link dev.trestle.patterns.crypto.PropertyEncryption}. Works on rows and does not depend on mapped classes.
 */
@NullMarked
package dev.trestle.patterns.crypto;

import org.jspecify.annotations.NullMarked;
