/**
 * JSON Web Tokens: {@link dev.trestle.server.auth.jwt.TokenVerifier} verifies a token and returns its claims. The
 * package knows JSON and public keys, but neither requests nor permissions.
 */
@NullMarked
package dev.trestle.server.auth.jwt;

import org.jspecify.annotations.NullMarked;
