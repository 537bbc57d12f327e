package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a component or field converted by a converter of your own, instead of in the usual way.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Converted {
    /** A class with a constructor without parameters. */
    Class<? extends Converter<?, ?>> value();
}
