package dev.trestle.blob;

/**
 * The HTTP headers of a blob's content, returned to readers as the writer set them. Empty if not set.
 *
 * @param md5 set by the writer, or computed by the server
 */
public record ContentHeaders(
        String type, String encoding, String language, String disposition, String cacheControl, String md5) {
    public static final ContentHeaders NONE = new ContentHeaders("", "", "", "", "", "");

    /** The default content type. */
    public static final String DEFAULT_TYPE = "application/octet-stream";

    /** Returns these headers, with the default content type if there is none. */
    public ContentHeaders withDefaultType() {
        return type.isEmpty()
                ? new ContentHeaders(DEFAULT_TYPE, encoding, language, disposition, cacheControl, md5)
                : this;
    }

    public ContentHeaders withMd5(String changed) {
        return new ContentHeaders(type, encoding, language, disposition, cacheControl, changed);
    }
}
