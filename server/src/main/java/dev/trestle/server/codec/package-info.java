/**
 * Formats that the services share: query strings, XML, multipart batches, buffers of UTF-8. Knows neither requests nor services.
 */
@NullMarked
package dev.trestle.server.codec;

import org.jspecify.annotations.NullMarked;
