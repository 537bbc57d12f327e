/**
 * The Blob service over HTTP: {@link dev.trestle.server.blob.BlobOperations} declares its operations, and the
 * handlers execute them. The package also has the codecs of headers, ranges, tags and lists.
 */
@NullMarked
package dev.trestle.server.blob;

import org.jspecify.annotations.NullMarked;
