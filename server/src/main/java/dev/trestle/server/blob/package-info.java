/**
 * The Blob service over HTTP: {@link dev.trestle.server.blob.BlobOperations} declares its operations, the handlers serve them, and
 * the codecs of headers, ranges, tags and lists stand beside them.
 */
@NullMarked
package dev.trestle.server.blob;

import org.jspecify.annotations.NullMarked;
