/**
 * Who may: {@link dev.trestle.server.auth.Authenticator} turns a request's credentials into a
 * {@link dev.trestle.server.auth.Grant}, which is then asked about each operation. It serves all three services and
 * knows neither sockets nor bodies.
 */
@NullMarked
package dev.trestle.server.auth;

import org.jspecify.annotations.NullMarked;
