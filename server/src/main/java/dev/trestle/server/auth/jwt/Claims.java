package dev.trestle.server.auth.jwt;

import java.util.Optional;

/**
 * What a good token says of whoever it was issued to.
 *
 * @param oid the object they are in the directory
 * @param tid the tenant whose directory it is
 */
public record Claims(Optional<String> oid, Optional<String> tid) {}
