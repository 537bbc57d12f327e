/**
 * Contents as files: how they are laid out, made durable and settled after a stop, once for all engines whose contents are
 * files of some kind. The entry type is {@link dev.trestle.engine.content.FileSystemContentStore}, which stands on the
 * {@link dev.trestle.engine.content.ContentFileSystem} of an engine. Nothing here knows what a collection stands for.
 */
@NullMarked
package dev.trestle.engine.content;

import org.jspecify.annotations.NullMarked;
