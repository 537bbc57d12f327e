package dev.trestle.server.auth;

/** The identity in a bearer token: the object id of a user or application, and the id of its tenant. */
public record Caller(String oid, String tid) {}
