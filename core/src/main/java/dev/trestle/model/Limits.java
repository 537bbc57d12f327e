package dev.trestle.model;

import java.time.Duration;

/** The limits of the service: first the published ones, then those that keep this server bounded. */
public final class Limits {
    /** Custom properties of an entity, the three system properties not counted. */
    public static final int PROPERTIES_MAX = 252;

    /** Size of an entity by the documented formula, see {@code Rows.withinDocumentedSize}. */
    public static final int ENTITY_BYTES_MAX = 1 << 20;

    /** A string property, in UTF-16 code units. */
    public static final int STRING_UNITS_MAX = 32 * 1024;

    /** A binary property, in bytes. */
    public static final int BINARY_BYTES_MAX = 64 * 1024;

    /** A partition key or row key, in UTF-16 code units. */
    public static final int KEY_UNITS_MAX = 512;

    /** A property name, in UTF-16 code units. */
    public static final int PROPERTY_NAME_UNITS_MAX = 255;

    /** Operations in one entity group transaction. */
    public static final int TRANSACTION_OPERATIONS_MAX = 100;

    /** A request body, also that of an entity group transaction. */
    public static final int BODY_BYTES_MAX = 4 << 20;

    /** Entities or tables in one page of an answer. */
    public static final int PAGE_ROWS_MAX = 1000;

    /** Encoded rows in one page of an answer. */
    public static final int PAGE_BYTES_MAX = 4 << 20;

    /** How long one page may look for matching rows before it answers with a continuation. */
    public static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);

    /** Names in {@code $select}. */
    public static final int SELECT_NAMES_MAX = 255;

    /** Stored access policies of one table. */
    public static final int POLICIES_MAX = 5;

    /** Characters of a stored access policy's identifier. */
    public static final int POLICY_ID_UNITS_MAX = 64;

    /** Names and values of the metadata of one queue, together. */
    public static final int METADATA_BYTES_MAX = 8 * 1024;

    /** Queues in one page of an answer. */
    public static final int QUEUES_PAGE_MAX = 5000;

    /** The text of a message, in bytes of UTF-8. */
    public static final int MESSAGE_BYTES_MAX = 64 * 1024;

    /** The document a message comes in. */
    public static final int MESSAGE_BODY_BYTES_MAX = 131_584;

    /** Messages taken or looked at in one request. */
    public static final int MESSAGES_MAX = 32;

    /** How long a message may be hidden, and how long it lives unless asked otherwise. */
    public static final int MESSAGE_SECONDS_MAX = 7 * 24 * 3600;

    /** Blocks that a blob can be made of, and that can be appended to one. */
    public static final int BLOCKS_MAX = 50_000;

    /** Blocks of one blob that wait to be committed. */
    public static final int UNCOMMITTED_BLOCKS_MAX = 100_000;

    /** Containers or blobs in one page of an answer. */
    public static final int BLOBS_PAGE_MAX = 5000;

    /** A blob that is put whole. */
    public static final long BLOB_PUT_BYTES_MAX = 5000L << 20;

    /** A block. */
    public static final long BLOCK_BYTES_MAX = 4000L << 20;

    /** The id of a block, before it is encoded. */
    public static final int BLOCK_ID_BYTES_MAX = 64;

    /** Requests in one batch to the Blob service. */
    public static final int BLOB_BATCH_REQUESTS_MAX = 256;

    /** A block that is appended. */
    public static final long APPEND_BYTES_MAX = 100L << 20;

    /** Index tags of a blob. */
    public static final int TAGS_MAX = 10;

    /** The key of a tag, in UTF-16 code units. */
    public static final int TAG_KEY_UNITS_MAX = 128;

    /** The value of a tag, in UTF-16 code units. */
    public static final int TAG_VALUE_UNITS_MAX = 256;

    /** A range whose checksum is asked for. */
    public static final int CHECKED_RANGE_BYTES_MAX = 4 << 20;

    /** A blob that is copied while its caller waits. */
    public static final long COPIED_BYTES_MAX = 256L << 20;

    /** CORS rules of one service. */
    public static final int CORS_RULES_MAX = 5;

    /** Text of a {@code $filter}, in UTF-16 code units. */
    public static final int FILTER_UNITS_MAX = 128 * 1024;

    /** Levels of alternating and / or / not that remain once parentheses and chains are flattened. */
    public static final int FILTER_DEPTH_MAX = 400;

    private Limits() {}
}
