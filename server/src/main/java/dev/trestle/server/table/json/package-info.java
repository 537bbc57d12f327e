/**
 * Entities as OData JSON, from and to encoded rows: {@link dev.trestle.server.table.json.EntityReader} and {@link
 * dev.trestle.server.table.json.EntityWriter}. Knows neither requests nor services.
 */
@NullMarked
package dev.trestle.server.table.json;

import org.jspecify.annotations.NullMarked;
