package dev.trestle.server.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobTags;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.Block;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.BlockBlobs.Among;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.blob.Container;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.CopyState;
import dev.trestle.blob.Lease;
import dev.trestle.blob.Tier;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.Refusals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobXmlTest {
    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    private static final long TIME = Ticks.of(Instant.parse("2026-07-31T18:00:00Z"));
    private static final String DATE = "Fri, 31 Jul 2026 18:00:00 GMT";
    private static final String TAG = "0x8DEEF2D89F09000";
    private static final String ENDPOINT = "http://127.0.0.1:10000/acct1/";

    private static BlobXml.Parameters parameters(boolean metadata) {
        return new BlobXml.Parameters(
                ENDPOINT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                metadata,
                false,
                false,
                TIME);
    }

    private static Blob blob(String name) {
        return new Blob(
                name,
                OptionalLong.empty(),
                BlobType.BLOCK,
                TIME,
                TIME,
                TIME,
                new Blob.ContentRef("m", 1, 11),
                0,
                false,
                new ContentHeaders("text/plain", "", "", "", "", "sQqNsWTgdUEFt6mb5y4/5Q=="),
                Map.of("start", "180000"),
                Tier.DEFAULT,
                Lease.NONE,
                Optional.empty(),
                BlobTags.NONE);
    }

    private static String blobs(BlobXml.Parameters parameters, BlobLister.Entry... entries) {
        return new String(BlobXml.blobs("logs", parameters, new Page<>(List.of(entries), Optional.empty()), ""), UTF_8);
    }

    @Test
    void containers_are_listed_with_quoted_etags() {
        Container container = new Container("logs", TIME, Map.of("k", "v"), List.of(), PublicAccess.BLOB, Lease.NONE);
        BlobXml.Parameters parameters = new BlobXml.Parameters(
                ENDPOINT,
                Optional.of("l"),
                Optional.of(""),
                Optional.empty(),
                Optional.of(5000),
                true,
                false,
                false,
                TIME);
        String document = new String(
                BlobXml.containers(parameters, new Page<>(List.of(container), Optional.empty()), "next"), UTF_8);
        assertThat(document)
                .isEqualTo(HEAD + "<EnumerationResults ServiceEndpoint=\"" + ENDPOINT + "\"><Prefix>l</Prefix>"
                        + "<Marker /><MaxResults>5000</MaxResults><Containers><Container><Name>logs</Name><Properties>"
                        + "<Last-Modified>" + DATE + "</Last-Modified><Etag>\"" + TAG + "\"</Etag>"
                        + "<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>"
                        + "<PublicAccess>blob</PublicAccess>"
                        + "<DefaultEncryptionScope>$account-encryption-key</DefaultEncryptionScope>"
                        + "<DenyEncryptionScopeOverride>false</DenyEncryptionScopeOverride>"
                        + "<HasImmutabilityPolicy>false</HasImmutabilityPolicy><HasLegalHold>false</HasLegalHold>"
                        + "<ImmutableStorageWithVersioningEnabled>false</ImmutableStorageWithVersioningEnabled>"
                        + "</Properties><Metadata><k>v</k></Metadata></Container></Containers>"
                        + "<NextMarker>next</NextMarker></EnumerationResults>");
    }

    @Test
    void an_account_without_containers_has_an_empty_list() {
        String document =
                new String(BlobXml.containers(parameters(false), new Page<>(List.of(), Optional.empty()), ""), UTF_8);
        assertThat(document).contains("<Containers />").endsWith("<NextMarker /></EnumerationResults>");
    }

    @Test
    void blobs_are_listed_with_bare_etags_and_between_groups() {
        BlobXml.Parameters parameters = new BlobXml.Parameters(
                ENDPOINT,
                Optional.of("queue/2014/07/31/"),
                Optional.empty(),
                Optional.of("/"),
                Optional.empty(),
                true,
                false,
                false,
                TIME);
        assertThat(blobs(
                        parameters,
                        new BlobLister.Group("queue/2014/07/31/1800/"),
                        new BlobLister.Listed(blob("queue/2014/07/31/index.txt"))))
                .isEqualTo(HEAD + "<EnumerationResults ServiceEndpoint=\"" + ENDPOINT + "\" ContainerName=\"logs\">"
                        + "<Prefix>queue/2014/07/31/</Prefix><Delimiter>/</Delimiter>"
                        + "<Blobs><BlobPrefix><Name>queue/2014/07/31/1800/</Name></BlobPrefix>"
                        + "<Blob><Name>queue/2014/07/31/index.txt</Name><Properties>"
                        + "<Creation-Time>" + DATE + "</Creation-Time><Last-Modified>" + DATE + "</Last-Modified>"
                        + "<Etag>" + TAG + "</Etag><Content-Length>11</Content-Length>"
                        + "<Content-Type>text/plain</Content-Type><Content-Encoding /><Content-Language />"
                        + "<Content-CRC64 /><Content-MD5>sQqNsWTgdUEFt6mb5y4/5Q==</Content-MD5><Cache-Control />"
                        + "<Content-Disposition /><BlobType>BlockBlob</BlobType><AccessTier>Hot</AccessTier>"
                        + "<AccessTierInferred>true</AccessTierInferred><LeaseStatus>unlocked</LeaseStatus>"
                        + "<LeaseState>available</LeaseState><ServerEncrypted>true</ServerEncrypted></Properties>"
                        + "<Metadata><start>180000</start></Metadata><OrMetadata /></Blob></Blobs>"
                        + "<NextMarker /></EnumerationResults>");
    }

    @Test
    void a_name_that_xml_cannot_write_is_encoded_and_no_other() {
        assertThat(blobs(parameters(false), new BlobLister.Listed(blob("a b/\uFFFE\u00E9"))))
                .contains("<Name Encoded=\"true\">a%20b%2F%EF%BF%BE%C3%A9</Name>");
        assertThat(blobs(parameters(false), new BlobLister.Group("\uFFFF/")))
                .contains("<BlobPrefix><Name Encoded=\"true\">%EF%BF%BF%2F</Name></BlobPrefix>");
        assertThat(blobs(parameters(false), new BlobLister.Listed(blob("a&b<c>\u00E9\uD83D\uDE00"))))
                .contains("<Name>a&amp;b&lt;c&gt;\u00E9\uD83D\uDE00</Name>");
    }

    @Test
    void a_blob_of_nothing_but_blocks_has_few_properties() {
        assertThat(blobs(parameters(true), new BlobLister.Uncommitted("a")))
                .contains("<Blob><Name>a</Name><Properties><Content-Length>0</Content-Length>"
                        + "<BlobType>BlockBlob</BlobType><AccessTier>Hot</AccessTier>"
                        + "<AccessTierInferred>true</AccessTierInferred><LeaseStatus>unlocked</LeaseStatus>"
                        + "<LeaseState>available</LeaseState><ServerEncrypted>true</ServerEncrypted></Properties>"
                        + "<OrMetadata /></Blob>")
                .doesNotContain("Etag");
    }

    @Test
    void a_snapshot_has_its_time_and_no_lease() {
        Blob base = blob("a");
        Blob snapshot = new Blob(
                "a",
                OptionalLong.of(TIME + 1_234_567),
                BlobType.APPEND,
                TIME,
                TIME,
                TIME,
                base.content(),
                1,
                true,
                base.headers(),
                Map.of(),
                Tier.DEFAULT,
                Lease.NONE,
                Optional.of(new CopyState("id", "http://x/y", 11, TIME)),
                BlobTags.NONE);
        assertThat(blobs(parameters(false), new BlobLister.Listed(snapshot)))
                .contains("<Snapshot>2026-07-31T18:00:00.1234567Z</Snapshot>")
                .contains("<Sealed>true</Sealed>")
                .doesNotContain("Lease")
                .doesNotContain("AccessTier")
                .doesNotContain("CopyId");
    }

    @Test
    void a_lease_shows_how_long_it_is_held_only_while_it_is() {
        Lease held = Lease.NONE.acquire(TIME, Lease.INFINITE, Optional.empty(), new UUID(1, 2));
        Container container = new Container("logs", TIME, Map.of(), List.of(), PublicAccess.NONE, held);
        String document = new String(
                BlobXml.containers(parameters(false), new Page<>(List.of(container), Optional.empty()), ""), UTF_8);
        assertThat(document)
                .contains("<LeaseStatus>locked</LeaseStatus><LeaseState>leased</LeaseState>"
                        + "<LeaseDuration>infinite</LeaseDuration><DefaultEncryptionScope>")
                .doesNotContain("PublicAccess");
    }

    @Test
    void blocks_are_listed_by_kind() {
        BlockBlobs.BlockLists lists =
                new BlockBlobs.BlockLists(Optional.empty(), List.of(new Block("QUFBQQ==", 4_194_304)), List.of());
        assertThat(new String(BlobXml.blocks(lists, true, true), UTF_8))
                .isEqualTo(HEAD + "<BlockList><CommittedBlocks><Block><Name>QUFBQQ==</Name><Size>4194304</Size></Block>"
                        + "</CommittedBlocks><UncommittedBlocks /></BlockList>");
        assertThat(new String(BlobXml.blocks(lists, false, true), UTF_8))
                .isEqualTo(HEAD + "<BlockList><UncommittedBlocks /></BlockList>");
    }

    private static List<Wanted> read(String document) {
        byte[] bytes = document.getBytes(UTF_8);
        return BlobXml.readBlocks(bytes, 0, bytes.length);
    }

    @Test
    void a_block_list_is_read_in_its_order() {
        assertThat(read("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><Latest>QUFBQQ==</Latest>"
                        + "<Committed> QkJCQg== </Committed>\n<Uncommitted>Q0NDQw==</Uncommitted>"
                        + "<Latest>QUFBQQ==</Latest></BlockList>"))
                .containsExactly(
                        new Wanted(Among.LATEST, "QUFBQQ=="),
                        new Wanted(Among.COMMITTED, "QkJCQg=="),
                        new Wanted(Among.UNCOMMITTED, "Q0NDQw=="),
                        new Wanted(Among.LATEST, "QUFBQQ=="));
        assertThat(read("<BlockList/>")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "<BlockList>",
                "<Blocks/>",
                "<BlockList><Other>a</Other></BlockList>",
                "<BlockList><Latest><Latest/></Latest></BlockList>",
                "<!DOCTYPE a [<!ENTITY b \"c\">]><BlockList><Latest>&b;</Latest></BlockList>"
            })
    void what_is_no_block_list_is_refused(String document) {
        assertThat(Refusals.errorOf(() -> read(document))).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @Test
    void a_block_list_has_a_limit() {
        String most = "<Latest>a</Latest>".repeat(Limits.BLOCKS_MAX);
        assertThat(read("<BlockList>" + most + "</BlockList>")).hasSize(Limits.BLOCKS_MAX);
        assertThat(Refusals.errorOf(() -> read("<BlockList>" + most + "<Latest>a</Latest></BlockList>")))
                .isEqualTo(StorageError.BLOCK_LIST_TOO_LONG);
    }
}
