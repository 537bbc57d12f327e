package dev.trestle.benchmarks.load;

import java.time.InstantSource;
import java.util.Optional;

/** By what right requests are made. Prints without its secret. */
sealed interface Credential {
    /** Signs the requests of one connection, where each has to be. */
    Optional<SharedKeyLite> newSigner();

    /** What is part of each request's query, or nothing. */
    String query();

    /** The key of an account, which signs each request. */
    record AccountKey(String account, byte[] key) implements Credential {
        @Override
        public Optional<SharedKeyLite> newSigner() {
            return Optional.of(new SharedKeyLite(this, InstantSource.system()));
        }

        @Override
        public String query() {
            return "";
        }

        @Override
        public String toString() {
            return account + ":***";
        }
    }

    /** A shared access signature, which is part of each request's query as it is. */
    record Signature(String query) implements Credential {
        @Override
        public Optional<SharedKeyLite> newSigner() {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return "sas:***";
        }
    }
}
