package dev.trestle.server.auth;

/** Somebody, as their directory calls them: the id of the object they are, and of the tenant it is in. */
public record Caller(String oid, String tid) {}
