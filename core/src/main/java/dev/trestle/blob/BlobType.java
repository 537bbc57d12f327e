package dev.trestle.blob;

/** The type of a blob, which is fixed at its creation. */
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
