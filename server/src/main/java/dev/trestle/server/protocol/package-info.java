/**
 * Bytes to nouns and back: resource paths, OData JSON, filter text, multipart batches, XML documents and continuation
 * tokens. Everything here is a plain function of its input; nothing knows sockets, services or engines.
 */
@NullMarked
package dev.trestle.server.protocol;

import org.jspecify.annotations.NullMarked;
