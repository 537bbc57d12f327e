/**
 * Codecs that the services share: query strings, XML, multipart batches, UTF-8 buffers. The package knows neither
 * requests nor services.
 */
@NullMarked
package dev.trestle.server.codec;

import org.jspecify.annotations.NullMarked;
