/**
 * The Blob service: containers, blobs and what is in them. {@link dev.trestle.blob.BlobService} is the entry. What is
 * known of a blob are rows of the engine; what is in it are rows too while it is small, and otherwise contents of a
 * {@link dev.trestle.engine.ContentStore}. Knows nothing of HTTP or XML.
 */
@NullMarked
package dev.trestle.blob;

import org.jspecify.annotations.NullMarked;
