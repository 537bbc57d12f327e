package dev.trestle.blob;

/** The container was deleted since its name was resolved, so the engine refuses commits to it. */
final class ContainerGoneException extends RuntimeException {
    ContainerGoneException() {
        super("The container was deleted", null, false, false);
    }
}
