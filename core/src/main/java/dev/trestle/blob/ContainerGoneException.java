package dev.trestle.blob;

/** The container was deleted while something was done in it. */
final class ContainerGoneException extends RuntimeException {
    ContainerGoneException() {
        super("the container is gone", null, false, false);
    }
}
