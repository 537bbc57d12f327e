package dev.trestle.blob;

/**
 * What a blob's writer says about its content, to be told to readers as it is; empty where there is nothing to tell.
 *
 * @param md5 as the writer gave it, or that of the content where the server computed it
 */
public record ContentHeaders(
        String type, String encoding, String language, String disposition, String cacheControl, String md5) {
    public static final ContentHeaders NONE = new ContentHeaders("", "", "", "", "", "");

    /** The type of a content of which nobody has said any. */
    public static final String DEFAULT_TYPE = "application/octet-stream";

    /** Those of a new blob, which gets a type if its writer gave none. */
    public ContentHeaders withDefaultType() {
        return type.isEmpty()
                ? new ContentHeaders(DEFAULT_TYPE, encoding, language, disposition, cacheControl, md5)
                : this;
    }

    public ContentHeaders withMd5(String changed) {
        return new ContentHeaders(type, encoding, language, disposition, cacheControl, changed);
    }
}
