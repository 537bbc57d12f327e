package dev.trestle.benchmarks.load;

/** By what right requests are made. Prints without its secret. */
sealed interface Credential {
    /** The key of an account, which signs each request. */
    record AccountKey(String account, byte[] key) implements Credential {
        @Override
        public String toString() {
            return account + ":***";
        }
    }

    /** A shared access signature, which is part of each request's query as it is. */
    record Signature(String query) implements Credential {
        @Override
        public String toString() {
            return "sas:***";
        }
    }
}
