package dev.trestle.server.blob;

import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.BlockLists;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.blob.Container;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Lease;
import dev.trestle.blob.Tier;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.XmlReader;
import dev.trestle.server.codec.XmlWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Codec of the XML documents of the Blob service. */
public final class BlobXml {
    /** The typical length of a blob in a list. */
    private static final int ENTRY_BYTES = 768;

    private static final String RESULTS = "EnumerationResults";

    private BlobXml() {}

    /**
     * The parameters of a listing; the response echoes those that the request has.
     *
     * @param now the current time in ticks, for the state of leases
     */
    public record Parameters(
            String endpoint,
            Optional<String> prefix,
            Optional<String> marker,
            Optional<String> delimiter,
            Optional<Integer> max,
            boolean metadata,
            boolean copies,
            boolean tags,
            long now) {}

    /** Encodes a page of containers. */
    public static byte[] containers(Parameters parameters, Page<Container, String> page, String nextMarker) {
        XmlWriter xml = new XmlWriter(true)
                .open(RESULTS + " ServiceEndpoint=\"" + XmlWriter.attribute(parameters.endpoint) + "\"");
        begin(xml, parameters);
        if (page.items().isEmpty()) {
            xml.empty("Containers");
        } else {
            xml.open("Containers");
            page.items().forEach(container -> write(xml, container, parameters));
            xml.close("Containers");
        }
        return xml.element("NextMarker", nextMarker).close(RESULTS).toBytes();
    }

    private static void begin(XmlWriter xml, Parameters parameters) {
        parameters.prefix.ifPresent(text -> xml.element("Prefix", text));
        parameters.marker.ifPresent(text -> xml.element("Marker", text));
        parameters.max.ifPresent(count -> xml.element("MaxResults", Integer.toString(count)));
        parameters.delimiter.ifPresent(text -> xml.element("Delimiter", text));
    }

    private static void write(XmlWriter xml, Container container, Parameters parameters) {
        xml.open("Container")
                .element("Name", container.name())
                .open("Properties")
                .element("Last-Modified", Ticks.formatHttp(container.modified()))
                .element("Etag", '"' + BlobETag.format(container.modified()) + '"');
        lease(xml, container.lease(), parameters.now);
        if (container.access() != PublicAccess.NONE) {
            xml.element("PublicAccess", container.access().word());
        }
        xml.element("DefaultEncryptionScope", "$account-encryption-key")
                .element("DenyEncryptionScopeOverride", "false")
                .element("HasImmutabilityPolicy", "false")
                .element("HasLegalHold", "false")
                .element("ImmutableStorageWithVersioningEnabled", "false")
                .close("Properties");
        if (parameters.metadata) {
            metadata(xml, container.metadata());
        }
        xml.close("Container");
    }

    private static void lease(XmlWriter xml, Lease lease, long now) {
        Lease.State state = lease.state(now);
        xml.element("LeaseStatus", state.isLocked() ? "locked" : "unlocked").element("LeaseState", state.word());
        if (state == Lease.State.LEASED) {
            xml.element("LeaseDuration", lease.seconds() == Lease.INFINITE ? "infinite" : "fixed");
        }
    }

    private static void metadata(XmlWriter xml, Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            xml.empty("Metadata");
        } else {
            xml.open("Metadata");
            new TreeMap<>(metadata).forEach(xml::element);
            xml.close("Metadata");
        }
    }

    /** Encodes a page of blobs. */
    public static byte[] blobs(
            String container,
            Parameters parameters,
            Page<BlobLister.Entry, BlobLister.Cursor> page,
            String nextMarker) {
        XmlWriter xml = new XmlWriter(true, page.items().size() * ENTRY_BYTES)
                .open(RESULTS + " ServiceEndpoint=\"" + XmlWriter.attribute(parameters.endpoint) + "\" ContainerName=\""
                        + XmlWriter.attribute(container) + "\"");
        begin(xml, parameters);
        if (page.items().isEmpty()) {
            xml.empty("Blobs");
        } else {
            xml.open("Blobs");
            for (BlobLister.Entry entry : page.items()) {
                if (entry instanceof BlobLister.Listed listed) {
                    write(xml, listed.blob(), parameters);
                } else if (entry instanceof BlobLister.Group group) {
                    xml.open("BlobPrefix");
                    name(xml, group.name());
                    xml.close("BlobPrefix");
                } else if (entry instanceof BlobLister.Uncommitted uncommitted) {
                    uncommitted(xml, uncommitted.name());
                }
            }
            xml.close("Blobs");
        }
        return xml.element("NextMarker", nextMarker).close(RESULTS).toBytes();
    }

    /** Encodes a name; one with U+FFFE or U+FFFF, which XML cannot represent, is percent-encoded. */
    static void name(XmlWriter xml, String name) {
        if (name.indexOf('\uFFFE') < 0 && name.indexOf('\uFFFF') < 0) {
            xml.element("Name", name);
            return;
        }
        xml.open("Name Encoded=\"true\"")
                .text(URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .close("Name");
    }

    private static void uncommitted(XmlWriter xml, String name) {
        xml.open("Blob");
        name(xml, name);
        xml.open("Properties")
                .element("Content-Length", "0")
                .element("BlobType", BlobType.BLOCK.word())
                .element("AccessTier", Tier.DEFAULT_NAME)
                .element("AccessTierInferred", "true")
                .element("LeaseStatus", "unlocked")
                .element("LeaseState", Lease.State.AVAILABLE.word())
                .element("ServerEncrypted", "true")
                .close("Properties")
                .empty("OrMetadata")
                .close("Blob");
    }

    private static void write(XmlWriter xml, Blob blob, Parameters parameters) {
        xml.open("Blob");
        name(xml, blob.name());
        blob.snapshot().ifPresent(taken -> xml.element("Snapshot", Ticks.format(taken, true)));
        ContentHeaders headers = blob.headers();
        xml.open("Properties")
                .element("Creation-Time", Ticks.formatHttp(blob.created()))
                .element("Last-Modified", Ticks.formatHttp(blob.modified()))
                .element("Etag", BlobETag.format(blob.modified()))
                .element("Content-Length", Long.toString(blob.length()))
                .element("Content-Type", headers.type())
                .element("Content-Encoding", headers.encoding())
                .element("Content-Language", headers.language())
                .empty("Content-CRC64")
                .element("Content-MD5", headers.md5())
                .element("Cache-Control", headers.cacheControl())
                .element("Content-Disposition", headers.disposition())
                .element("BlobType", blob.type().word());
        if (blob.type() == BlobType.BLOCK) {
            tier(xml, blob.tier().at(parameters.now));
        }
        if (blob.snapshot().isEmpty()) {
            lease(xml, blob.lease(), parameters.now);
        }
        if (parameters.copies) {
            blob.copy()
                    .ifPresent(copy -> xml.element("CopyId", copy.id())
                            .element("CopySource", copy.source())
                            .element("CopyStatus", "success")
                            .element("CopyProgress", copy.bytes() + "/" + copy.bytes())
                            .element("CopyCompletionTime", Ticks.formatHttp(copy.completed())));
        }
        xml.element("ServerEncrypted", "true");
        if (blob.sealed()) {
            xml.element("Sealed", "true");
        }
        if (!blob.tags().isEmpty()) {
            xml.element("TagCount", Integer.toString(blob.tags().size()));
        }
        xml.close("Properties");
        if (parameters.metadata) {
            metadata(xml, blob.metadata());
        }
        if (parameters.tags && !blob.tags().isEmpty()) {
            TagXml.write(xml, blob.tags().values());
        }
        xml.empty("OrMetadata").close("Blob");
    }

    private static void tier(XmlWriter xml, Tier tier) {
        if (tier.name().isEmpty()) {
            xml.element("AccessTier", Tier.DEFAULT_NAME).element("AccessTierInferred", "true");
            return;
        }
        xml.element("AccessTier", tier.name()).element("AccessTierChangeTime", Ticks.formatHttp(tier.changed()));
        tier.rehydration()
                .ifPresent(pending -> xml.element("ArchiveStatus", pending.status())
                        .element("RehydratePriority", pending.priority().word()));
    }

    /** Encodes the requested block lists of a blob. */
    public static byte[] blocks(BlockLists lists, boolean committed, boolean uncommitted) {
        XmlWriter xml = new XmlWriter(true).open("BlockList");
        if (committed) {
            blocks(xml, "CommittedBlocks", lists.committed());
        }
        if (uncommitted) {
            blocks(xml, "UncommittedBlocks", lists.uncommitted());
        }
        return xml.close("BlockList").toBytes();
    }

    private static void blocks(XmlWriter xml, String kind, List<Block> blocks) {
        if (blocks.isEmpty()) {
            xml.empty(kind);
            return;
        }
        xml.open(kind);
        for (Block block : blocks) {
            xml.open("Block")
                    .element("Name", block.id())
                    .element("Size", Long.toString(block.length()))
                    .close("Block");
        }
        xml.close(kind);
    }

    /** Parses the blocks to commit, in order. */
    public static List<Wanted> readBlocks(byte[] document, int offset, int length) {
        return XmlReader.read(document, offset, length, "BlockList", BlobXml::wanted);
    }

    private static List<Wanted> wanted(XMLStreamReader reader) throws XMLStreamException {
        List<Wanted> wanted = new ArrayList<>();
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    Among among = among(reader.getLocalName());
                    wanted.add(new Wanted(among, reader.getElementText().strip()));
                    if (wanted.size() > Limits.BLOCKS_MAX) {
                        throw new StorageException(StorageError.BLOCK_LIST_TOO_LONG);
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    return wanted;
                }
                case XMLStreamConstants.ENTITY_REFERENCE, XMLStreamConstants.DTD -> throw XmlReader.invalid();
                default -> {}
            }
        }
    }

    private static Among among(String element) {
        return switch (element) {
            case "Latest" -> Among.LATEST;
            case "Committed" -> Among.COMMITTED;
            case "Uncommitted" -> Among.UNCOMMITTED;
            default -> throw XmlReader.invalid();
        };
    }
}
