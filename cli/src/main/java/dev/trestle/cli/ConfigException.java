package dev.trestle.cli;

/** What was asked for cannot be: the message is the sentence the user reads, and holds no secret. */
final class ConfigException extends RuntimeException {
    ConfigException(String sentence) {
        super(sentence);
    }
}
