package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.PublicAccess;
import java.util.List;
import java.util.Optional;

/**
 * The permission that an operation requires of each kind of credential. An account SAS needs the resource type and the
 * letters, a SAS over one resource needs the letters, a stored access policy may hold the same letters. An account key and a
 * bearer token have every permission, except where {@link #namedBearersOnly} says otherwise.
 *
 * @param name for refusals that explain themselves
 * @param resourceType the letter of {@code srt}: {@code s}, {@code c} or {@code o}
 * @param letters alternatives of {@code sp}, each a set of letters that are all needed; none closes the operation to every
 *     SAS, an empty one opens it to any
 * @param resourceSas the service whose SAS over one table, queue, container or blob has this permission
 * @param inSnapshotSas whether a SAS over a snapshot has it
 * @param anonymous the public access of a container that makes it anybody's; {@code NONE} if nothing does
 * @param namedBearersOnly whether it takes a bearer token that says whose it is, and not even an account key will do
 */
public record Permission(
        String name,
        char resourceType,
        List<String> letters,
        Optional<Service> resourceSas,
        boolean inSnapshotSas,
        PublicAccess anonymous,
        boolean namedBearersOnly) {
    /** Stands for the permissions of the parts of a transaction, each of which is checked separately. */
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

    /** The same permission, which a SAS over one resource of the service can have too. */
    public Permission alsoInSasOf(Service service) {
        return new Permission(
                name, resourceType, letters, Optional.of(service), inSnapshotSas, anonymous, namedBearersOnly);
    }

    /** The same permission, which a SAS over a snapshot of a blob can have too. */
    public Permission alsoInSnapshotSas() {
        return new Permission(name, resourceType, letters, resourceSas, true, anonymous, namedBearersOnly);
    }

    /** The same permission, which everybody has on a container of this public access. */
    public Permission alsoAnonymous(PublicAccess access) {
        return new Permission(name, resourceType, letters, resourceSas, inSnapshotSas, access, namedBearersOnly);
    }

    /** The same permission, reserved for bearer tokens that name their owner. */
    public Permission forNamedBearersOnly() {
        return new Permission(name, resourceType, letters, resourceSas, inSnapshotSas, anonymous, true);
    }

    /** The letters needed, for people to read. */
    String lettersText() {
        return String.join(" or ", letters);
    }

    /** Whether the granted letters are enough. */
    boolean allowedBy(String granted) {
        for (String alternative : letters) {
            if (alternative.chars().allMatch(letter -> granted.indexOf(letter) >= 0)) {
                return true;
            }
        }
        return false;
    }

    /** Whether no SAS has it, whatever its letters. */
    public boolean isClosedToSas() {
        return letters.isEmpty();
    }

    /** Whether every SAS that reaches the resource has it, whatever its letters and resource types. */
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
