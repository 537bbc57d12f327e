package dev.trestle.blob;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The properties of a blob or of a snapshot.
 *
 * @param snapshot the time of the snapshot, in ticks; empty for the blob itself
 * @param created in ticks
 * @param modified in ticks; see {@link BlobETag}
 * @param committed the last write of its content, in ticks; uncommitted blocks from before are void
 * @param content a reference to its content
 * @param appends the number of appended blocks
 * @param sealed whether appends are refused
 */
public record Blob(
        String name,
        OptionalLong snapshot,
        BlobType type,
        long created,
        long modified,
        long committed,
        ContentRef content,
        int appends,
        boolean sealed,
        ContentHeaders headers,
        Map<String, String> metadata,
        Tier tier,
        Lease lease,
        Optional<CopyState> copy,
        BlobTags tags) {
    public Blob {
        metadata = Map.copyOf(metadata);
    }

    /**
     * A reference to a content, with the number of its parts and their total length.
     *
     * @param manifest the id of the content, in the keys of its parts
     */
    public record ContentRef(String manifest, int parts, long length) {}

    public long length() {
        return content.length();
    }

    Blob withModified(long changed) {
        return new Blob(
                name, snapshot, type, created, changed, committed, content, appends, sealed, headers, metadata, tier,
                lease, copy, tags);
    }

    Blob withContent(ContentRef changed, int blocks) {
        return new Blob(
                name, snapshot, type, created, modified, committed, changed, blocks, sealed, headers, metadata, tier,
                lease, copy, tags);
    }

    Blob withHeaders(ContentHeaders changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, changed, metadata, tier,
                lease, copy, tags);
    }

    Blob withMetadata(Map<String, String> changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, headers, changed, tier,
                lease, copy, tags);
    }

    Blob withTier(Tier changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, headers, metadata,
                changed, lease, copy, tags);
    }

    Blob withLease(Lease changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, headers, metadata, tier,
                changed, copy, tags);
    }

    Blob withCopy(Optional<CopyState> changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, headers, metadata, tier,
                lease, changed, tags);
    }

    Blob withTags(BlobTags changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, sealed, headers, metadata, tier,
                lease, copy, changed);
    }

    Blob withSealed(boolean changed) {
        return new Blob(
                name, snapshot, type, created, modified, committed, content, appends, changed, headers, metadata, tier,
                lease, copy, tags);
    }

    /** Returns a snapshot of this blob. */
    Blob asSnapshot(long taken, Map<String, String> itsMetadata) {
        return new Blob(
                name,
                OptionalLong.of(taken),
                type,
                created,
                modified,
                committed,
                content,
                appends,
                sealed,
                headers,
                itsMetadata,
                tier,
                Lease.NONE,
                copy,
                BlobTags.of(tags.values()));
    }
}
