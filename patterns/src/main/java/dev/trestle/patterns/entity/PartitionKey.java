package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The template of the partition key, as in {@code "{department}"}, or the component that is the partition key. See
 * {@link KeyTemplate} for what a template may say.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface PartitionKey {
    /** The template; not needed on a component or field, which then is the whole key. */
    String value() default "";
}
