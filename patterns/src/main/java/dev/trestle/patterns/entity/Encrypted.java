package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Encrypts the property on the client, see {@link dev.trestle.patterns.crypto.PropertyEncryption}. Only for attributes stored as
 * strings. An encrypted property cannot be used in filters or merges.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Encrypted {}
