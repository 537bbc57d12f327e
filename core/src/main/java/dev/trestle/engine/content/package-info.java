/**
 * A content store on any file system: layout, durability and crash recovery. The entry type is
 * {@link dev.trestle.engine.content.FileSystemContentStore}, which uses the
 * {@link dev.trestle.engine.content.ContentFileSystem} of an engine.
 */
@NullMarked
package dev.trestle.engine.content;

import org.jspecify.annotations.NullMarked;
