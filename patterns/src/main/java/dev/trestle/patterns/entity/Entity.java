package dev.trestle.patterns.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how a class is told from others in the same table. Without it the class has its own simple name and version 1.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Entity {
    /** The name that is recorded with each entity; that of the class unless given. */
    String name() default "";

    /** The version that is recorded with each entity. Raise it when the meaning of properties changes. */
    int version() default 1;

    /** Whether name and version are recorded, as properties {@code EntityType} and {@code EntityVersion}. */
    boolean recorded() default true;

    /** How properties are named that have no {@link Property} of their own. */
    Naming naming() default Naming.AS_DECLARED;
}
