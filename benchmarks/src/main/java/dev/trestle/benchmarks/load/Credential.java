package dev.trestle.benchmarks.load;

import java.time.InstantSource;
import java.util.Optional;

/** The credential of requests. Its text has no secret. */
sealed interface Credential {
    /** Returns the signer of one connection, if requests are signed one by one. */
    Optional<SharedKeyLite> newSigner();

    /** Returns the text that every request has in its query, or an empty one. */
    String query();

    /** An account key, which signs each request. */
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

    /** A shared access signature, which every request has in its query. */
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
