/**
 * The Table service over HTTP: {@link dev.trestle.server.table.TableOperations} declares its operations, the handlers serve them,
 * and the codecs of filters, paths, options and tokens stand beside them. Entities as JSON are in {@code json}.
 */
@NullMarked
package dev.trestle.server.table;

import org.jspecify.annotations.NullMarked;
