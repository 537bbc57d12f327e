/**
 * Administration: {@link dev.trestle.server.admin.AdminServer} serves health, metrics and scrubs on the admin
 * port, and {@link dev.trestle.server.admin.AccessLog} writes a line for each request. The package only observes
 * requests; it shows neither user data nor secrets.
 */
@NullMarked
package dev.trestle.server.admin;

import org.jspecify.annotations.NullMarked;
