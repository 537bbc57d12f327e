/**
 * The Table service over HTTP: {@link dev.trestle.server.table.TableOperations} declares its operations, and the
 * handlers execute them. The package also has the codecs of filters, paths, options and tokens; entities are in
 * {@code json}.
 */
@NullMarked
package dev.trestle.server.table;

import org.jspecify.annotations.NullMarked;
