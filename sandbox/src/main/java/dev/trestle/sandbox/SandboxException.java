package dev.trestle.sandbox;

/** Something that the user of a sandbox can act on; the message is a sentence that says how. */
public final class SandboxException extends RuntimeException {
    public SandboxException(String message) {
        super(message);
    }
}
