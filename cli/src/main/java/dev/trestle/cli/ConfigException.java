package dev.trestle.cli;

/** Options that exclude each other or cannot be met. The message is shown to the user and contains no secret. */
final class ConfigException extends RuntimeException {
    ConfigException(String sentence) {
        super(sentence);
    }
}
