package dev.trestle.blob;

/** How a blob may be written; it stays what it is until it is deleted. */
public enum BlobType {
    BLOCK("BlockBlob"),
    APPEND("AppendBlob");

    private final String word;

    BlobType(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
