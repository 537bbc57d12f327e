/**
 * Authentication and authorization: {@link dev.trestle.server.auth.Authenticator} verifies a request's credentials
 * and returns a {@link dev.trestle.server.auth.Grant}, which authorizes each operation. The package serves all
 * three services and knows neither sockets nor bodies.
 */
@NullMarked
package dev.trestle.server.auth;

import org.jspecify.annotations.NullMarked;
