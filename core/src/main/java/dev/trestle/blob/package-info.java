/**
 * The Blob service, independent of its protocol. {@link dev.trestle.blob.BlobService} is the entry type. The
 * properties of a blob are rows of the engine. Its content is in rows too if it is small, and otherwise in a
 * {@link dev.trestle.engine.ContentStore}. Must not know HTTP, XML or a particular engine.
 */
@NullMarked
package dev.trestle.blob;

import org.jspecify.annotations.NullMarked;
