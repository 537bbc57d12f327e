package dev.trestle.catalogue;

/** The storage services, with the name of each in keys and signatures. */
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
