package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.PublicAccess;
import java.util.List;
import java.util.Optional;

/**
 * The permission that an operation requires of each kind of credential. An account SAS needs the resource type and
 * the letters. A SAS for one resource needs the letters, which may also come from a stored access policy. An
 * account key and a bearer token have every permission, except as {@link #namedBearersOnly} says.
 *
 * @param name for error messages
 * @param resourceType the letter of {@code srt}: {@code s}, {@code c} or {@code o}
 * @param letters alternatives of {@code sp}, each a set of letters that are all needed; no alternative closes the
 *     operation to every SAS, an empty one opens it to any
 * @param resourceSas the service whose SAS for one table, queue, container or blob can have this permission
 * @param inSnapshotSas whether a SAS for a snapshot can have it
 * @param anonymous the public access level of a container that grants it without credentials; {@code NONE} if none
 *     does
 * @param namedBearersOnly whether only a bearer token with an identity has it, and not even an account key
 */
public record Permission(
        String name,
        char resourceType,
        List<String> letters,
        Optional<Service> resourceSas,
        boolean inSnapshotSas,
        PublicAccess anonymous,
        boolean namedBearersOnly) {
    /** Placeholder for a transaction, each part of which is authorized separately. */
    public static final Permission OF_PARTS = onObject().named("OF_PARTS");

    public Permission {
        letters = List.copyOf(letters);
    }

    /** A permission on the service as a whole. */
    public static Permission onService(String... letters) {
        return of('s', letters);
    }

    /** A permission on a table, a queue or a container. */
    public static Permission onContainer(String... letters) {
        return of('c', letters);
    }

    /** A permission on an entity, a message or a blob. */
    public static Permission onObject(String... letters) {
        return of('o', letters);
    }

    private static Permission of(char resourceType, String... letters) {
        return new Permission("", resourceType, List.of(letters), Optional.empty(), false, PublicAccess.NONE, false);
    }

    public Permission named(String newName) {
        return new Permission(newName, resourceType, letters, resourceSas, inSnapshotSas, anonymous, namedBearersOnly);
    }

    /** Returns this permission, also for a SAS for one resource of the service. */
    public Permission alsoInSasOf(Service service) {
        return new Permission(
                name, resourceType, letters, Optional.of(service), inSnapshotSas, anonymous, namedBearersOnly);
    }

    /** Returns this permission, also for a SAS for a snapshot of a blob. */
    public Permission alsoInSnapshotSas() {
        return new Permission(name, resourceType, letters, resourceSas, true, anonymous, namedBearersOnly);
    }

    /** Returns this permission, also for anonymous requests to a container of this public access level. */
    public Permission alsoAnonymous(PublicAccess access) {
        return new Permission(name, resourceType, letters, resourceSas, inSnapshotSas, access, namedBearersOnly);
    }

    /** Returns this permission, only for bearer tokens with an identity. */
    public Permission forNamedBearersOnly() {
        return new Permission(name, resourceType, letters, resourceSas, inSnapshotSas, anonymous, true);
    }

    /** Returns the required letters for error messages. */
    String lettersText() {
        return String.join(" or ", letters);
    }

    /** Whether the granted letters include one of the alternatives. */
    boolean allowedBy(String granted) {
        for (String alternative : letters) {
            if (alternative.chars().allMatch(letter -> granted.indexOf(letter) >= 0)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no SAS can have this permission. */
    public boolean isClosedToSas() {
        return letters.isEmpty();
    }

    /** Whether every SAS for the resource has this permission, whatever its letters and resource types. */
    public boolean isOpenToAnySas() {
        return letters.contains("");
    }

    boolean isOnService() {
        return resourceType == 's';
    }

    boolean isOnObject() {
        return resourceType == 'o';
    }

    boolean isInSasOf(Service service) {
        return resourceSas.isPresent() && resourceSas.get() == service;
    }

    @Override
    public String toString() {
        return name;
    }
}
