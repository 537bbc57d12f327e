/**
 * Codec between OData JSON and encoded rows: {@link dev.trestle.server.table.json.EntityReader} and {@link
 * dev.trestle.server.table.json.EntityWriter}. The package knows neither requests nor services.
 */
@NullMarked
package dev.trestle.server.table.json;

import org.jspecify.annotations.NullMarked;
