package dev.trestle.blob;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.model.PublicAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A container.
 *
 * @param modified in ticks, the last change of its metadata or access; see {@link BlobETag}
 */
public record Container(
        String name,
        long modified,
        Map<String, String> metadata,
        List<AccessPolicy> policies,
        PublicAccess access,
        Lease lease) {
    private static final String MODIFIED = "modified";
    private static final String ACCESS = "access";
    private static final String LEASE = "lease";

    static Container of(CatalogueEntry collection) {
        Map<String, String> attributes = collection.attributes();
        return new Container(
                collection.name(),
                Long.parseLong(attributes.getOrDefault(MODIFIED, Long.toString(collection.created()))),
                collection.metadata(),
                collection.policies(),
                PublicAccess.of(attributes.getOrDefault(ACCESS, "")).orElse(PublicAccess.NONE),
                attributes.containsKey(LEASE) ? Lease.ofText(attributes.getOrDefault(LEASE, "")) : Lease.NONE);
    }

    /** Returns the attributes of the catalogue entry. */
    static Map<String, String> attributes(long modified, PublicAccess access, Lease lease) {
        Map<String, String> attributes = new HashMap<>();
        attributes.put(MODIFIED, Long.toString(modified));
        if (access != PublicAccess.NONE) {
            attributes.put(ACCESS, access.word());
        }
        if (!lease.equals(Lease.NONE)) {
            attributes.put(LEASE, lease.text());
        }
        return attributes;
    }
}
