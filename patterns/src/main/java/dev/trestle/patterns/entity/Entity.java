package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name and version of an entity class, which distinguish it from others in the same table. The default is the simple class
 * name and version 1.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Entity {
    /** The name recorded with each entity; the simple class name by default. */
    String name() default "";

    /** The version recorded with each entity. Increase it when the meaning of properties changes. */
    int version() default 1;

    /** Whether name and version are recorded, in the properties {@code EntityType} and {@code EntityVersion}. */
    boolean recorded() default true;

    /** The naming of properties without {@link Property}. */
    Naming naming() default Naming.AS_DECLARED;
}
