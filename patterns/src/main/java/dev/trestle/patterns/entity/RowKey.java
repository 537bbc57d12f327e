package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class, the template of the row key, such as {@code "empid_{id:000000}"}; on a component or field, marks it as the row key.
 * See {@link KeyTemplate} for the syntax.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface RowKey {
    /** The template; optional on a component or field, which then is the whole key. */
    String value() default "";
}
