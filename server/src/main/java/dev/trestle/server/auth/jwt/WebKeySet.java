package dev.trestle.server.auth.jwt;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The public keys of an issuer by key id. Immutable. */
final class WebKeySet {
    private final Map<String, WebKey> byId;

    private WebKeySet(Map<String, WebKey> byId) {
        this.byId = Map.copyOf(byId);
    }

    /**
     * Parses a JSON Web Key Set. Keys without an id or of unsupported use are skipped.
     *
     * @throws IllegalArgumentException if no key is left or one is malformed; the message completes a sentence about
     *     the file
     */
    static WebKeySet read(byte[] json) {
        JsonObject document;
        try {
            document = JsonObject.read(json);
        } catch (MalformedJsonException e) {
            throw new IllegalArgumentException("it is not a JSON Web Key Set", e);
        }
        Map<String, WebKey> byId = new HashMap<>();
        for (JsonObject member : document.objects("keys")) {
            Optional<String> id = member.text("kid");
            Optional<WebKey> key = id.isEmpty() ? Optional.empty() : WebKey.read(member);
            if (key.isPresent() && byId.put(id.get(), key.get()) != null) {
                throw new IllegalArgumentException("two keys of it have the same kid");
            }
        }
        if (byId.isEmpty()) {
            throw new IllegalArgumentException("it has no key with a kid for RS256 or ES256");
        }
        return new WebKeySet(byId);
    }

    Optional<WebKey> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
