package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a property encrypted before it leaves this process, and decrypted when it comes back. Only for what is stored as a
 * string. Such a property cannot be asked for in a filter, nor merged.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Encrypted {}
