package dev.trestle.blob;

/** What a blob's writer says about its content, to be told to readers as it is; empty where nothing was said. */
public record ContentHeaders(
        String type, String encoding, String language, String disposition, String cacheControl, String md5) {
    public static final ContentHeaders NONE = new ContentHeaders("", "", "", "", "", "");

    /** The type of a content of which nobody has said any. */
    public static final String DEFAULT_TYPE = "application/octet-stream";

    public ContentHeaders withMd5(String changed) {
        return new ContentHeaders(type, encoding, language, disposition, cacheControl, changed);
    }
}
