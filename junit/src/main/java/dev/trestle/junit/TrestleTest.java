package dev.trestle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts an in-process server before the first test of a class and closes it after the last. Nested classes share the server of
 * the outer class. Constructors and methods may have parameters of the following types:
 *
 * <ul>
 *   <li>{@link Trestle}, the server
 *   <li>{@code String} annotated with {@link ConnectionString}
 *   <li>{@code TableServiceClient}, {@code QueueServiceClient}, {@code BlobServiceClient} and their asynchronous counterparts, if
 *       the SDK is on the class path
 * </ul>
 *
 * <pre>
 * {@literal @}TrestleTest
 * class OrdersTest {
 *     {@literal @}Test
 *     void orders_are_kept(TableServiceClient tables, QueueServiceClient queues) { ... }
 * }
 * </pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(TrestleExtension.class)
public @interface TrestleTest {}
