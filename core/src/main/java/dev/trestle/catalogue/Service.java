package dev.trestle.catalogue;

/** The services an account may offer, with the name each has in keys and signatures. */
public enum Service {
    TABLE("table"),
    QUEUE("queue"),
    BLOB("blob");

    private final String word;

    Service(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
