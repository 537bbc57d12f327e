package dev.trestle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a fresh server, started before its first test and closed after its last. Constructors and methods may take
 * it as a parameter of type {@link Trestle}, its address as a text with {@link ConnectionString}, or a client of it where the SDK
 * is on the class path: {@code TableServiceClient}, {@code QueueServiceClient}, {@code BlobServiceClient} and the asynchronous
 * client of each. Nested classes share the server of the outer one.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(TrestleExtension.class)
public @interface TrestleTest {}
