/**
 * What people who run the server see of it: {@link dev.trestle.server.admin.AdminServer} answers for health and metrics
 * on a port of its own and starts scrubs, {@link dev.trestle.server.admin.AccessLog} writes a line for each request. Else
 * both only watch: data never pass through here, and no secret does.
 */
@NullMarked
package dev.trestle.server.admin;

import org.jspecify.annotations.NullMarked;
