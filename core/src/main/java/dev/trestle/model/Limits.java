package dev.trestle.model;

import java.time.Duration;

/** The published limits of the services, and limits of this server that bound its work. */
public final class Limits {
    /** Properties of an entity, without the three system properties. */
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

    /** A request body, including that of an entity group transaction. */
    public static final int BODY_BYTES_MAX = 4 << 20;

    /** Entities or tables in a page. */
    public static final int PAGE_ROWS_MAX = 1000;

    /** Encoded rows in a page. */
    public static final int PAGE_BYTES_MAX = 4 << 20;

    /** The time for a page to find matching rows before it ends with a continuation. */
    public static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);

    /** Names in {@code $select}. */
    public static final int SELECT_NAMES_MAX = 255;

    /** Stored access policies of one table. */
    public static final int POLICIES_MAX = 5;

    /** Characters of a stored access policy's identifier. */
    public static final int POLICY_ID_UNITS_MAX = 64;

    /** Names and values of the metadata of one queue, together. */
    public static final int METADATA_BYTES_MAX = 8 * 1024;

    /** Queues in a page. */
    public static final int QUEUES_PAGE_MAX = 5000;

    /** The text of a message, in bytes of UTF-8. */
    public static final int MESSAGE_BYTES_MAX = 64 * 1024;

    /** The request body of a message. */
    public static final int MESSAGE_BODY_BYTES_MAX = 131_584;

    /** Messages received or peeked in one request. */
    public static final int MESSAGES_MAX = 32;

    /** The maximum visibility timeout of a message, and its default time to live. */
    public static final int MESSAGE_SECONDS_MAX = 7 * 24 * 3600;

    /** Committed or appended blocks of a blob. */
    public static final int BLOCKS_MAX = 50_000;

    /** Uncommitted blocks of a blob. */
    public static final int UNCOMMITTED_BLOCKS_MAX = 100_000;

    /** Containers or blobs in a page. */
    public static final int BLOBS_PAGE_MAX = 5000;

    /** A blob that is put in one request. */
    public static final long BLOB_PUT_BYTES_MAX = 5000L << 20;

    /** A block. */
    public static final long BLOCK_BYTES_MAX = 4000L << 20;

    /** The id of a block, before it is encoded. */
    public static final int BLOCK_ID_BYTES_MAX = 64;

    /** Requests in one batch to the Blob service. */
    public static final int BLOB_BATCH_REQUESTS_MAX = 256;

    /** An appended block. */
    public static final long APPEND_BYTES_MAX = 100L << 20;

    /** Index tags of a blob. */
    public static final int TAGS_MAX = 10;

    /** The key of a tag, in UTF-16 code units. */
    public static final int TAG_KEY_UNITS_MAX = 128;

    /** The value of a tag, in UTF-16 code units. */
    public static final int TAG_VALUE_UNITS_MAX = 256;

    /** A range with a requested checksum. */
    public static final int CHECKED_RANGE_BYTES_MAX = 4 << 20;

    /** A blob that is copied synchronously. */
    public static final long COPIED_BYTES_MAX = 256L << 20;

    /** CORS rules of one service. */
    public static final int CORS_RULES_MAX = 5;

    /** Text of a {@code $filter}, in UTF-16 code units. */
    public static final int FILTER_UNITS_MAX = 128 * 1024;

    /** The depth of alternating and / or / not, after parentheses and chains are flattened. */
    public static final int FILTER_DEPTH_MAX = 400;

    private Limits() {}
}
