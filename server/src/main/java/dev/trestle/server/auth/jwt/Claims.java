package dev.trestle.server.auth.jwt;

import java.util.Optional;

/**
 * The claims of a valid token about its subject.
 *
 * @param oid the object id of the user or application
 * @param tid the id of the tenant
 */
public record Claims(Optional<String> oid, Optional<String> tid) {}
