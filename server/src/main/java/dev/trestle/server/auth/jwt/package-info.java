/**
 * Signed tokens as their issuer makes them: {@link dev.trestle.server.auth.jwt.TokenVerifier} tells whether one is good
 * and what it claims. It knows JSON and public keys, and nothing of requests or of what a token is good for.
 */
@NullMarked
package dev.trestle.server.auth.jwt;

import org.jspecify.annotations.NullMarked;
