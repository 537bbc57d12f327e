package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks that all kinds of SAS share: fields, signature, validity period, source address and protocol. */
final class SasChecks {
    private static final Pattern VERSION = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    /** From this version on, a SAS can be bound to addresses and protocols. */
    static final String VERSION_WITH_SOURCE = "2015-04-05";

    /** All fields of all kinds of SAS. */
    static final Set<String> FIELDS = Set.of(
            "sv", "sig", "sp", "st", "se", "sip", "spr", "si", "sr", "ss", "srt", "ses", "tn", "spk", "srk", "epk",
            "erk", "skoid", "sktid", "skt", "ske", "sks", "skv", "skdutid", "sduoid", "saoid", "suoid", "scid", "sdd",
            "srh", "srq", "rscc", "rscd", "rsce", "rscl", "rsct");

    private static final int SIGNATURE_BYTES = 32;

    private final InstantSource clock;
    private final Refusals refusals;

    SasChecks(InstantSource clock, Refusals refusals) {
        this.clock = clock;
        this.refusals = refusals;
    }

    /** Returns the value of a field; absent means empty, as in the signature. */
    String field(SignedRequest request, String name) {
        return singleLine(name, request.query().find(name).orElse(""));
    }

    /**
     * Returns the value of a field that is signed only from a version on. Before that version the field is
     * rejected: it is unsigned, so it would not restrict anything although its author meant it to.
     */
    String fieldSince(SignedRequest request, String name, String version, String since) {
        String value = field(request, name);
        if (version.compareTo(since) < 0 && !value.isEmpty()) {
            throw refusals.unauthenticated("The field " + name + " needs sv from " + since + " on.");
        }
        return value;
    }

    /**
     * Rejects a value with a line end. Fields are joined by line ends, so one inside a field would shift the others.
     */
    String singleLine(String name, String value) {
        if (value.indexOf('\n') >= 0) {
            throw refusals.unauthenticated("There is a line end in " + name + ".", Refusals.MALFORMED);
        }
        return value;
    }

    /** Rejects a field with a restriction that this server cannot enforce. */
    void rejectUnsupported(SignedRequest request, String name) {
        if (!field(request, name).isEmpty()) {
            throw refusals.unauthenticated("This server does not serve signatures with the field " + name + ".");
        }
    }

    String required(SignedRequest request, String name) {
        String value = field(request, name);
        if (value.isEmpty()) {
            throw refusals.unauthenticated(
                    "The field " + name + " is missing.", name + " is mandatory. Cannot be empty");
        }
        return value;
    }

    /** Returns the version that defines the string to sign. Versions are dates and compare as text. */
    String version(SignedRequest request, String since) {
        String version = required(request, "sv");
        if (!VERSION.matcher(version).matches() || version.compareTo(since) < 0) {
            throw refusals.unauthenticated("The field sv is not a version from " + since + " on.", Refusals.MALFORMED);
        }
        return version;
    }

    void signature(SignedRequest request, Account account, List<String> texts) {
        String signature = required(request, "sig");
        if (!account.verify(texts, signature)) {
            throw wrongSignature(signature, texts);
        }
    }

    /** Returns the error for a signature that does not match; it depends on whether the signature is well-formed. */
    StorageException wrongSignature(String signature, List<String> texts) {
        try {
            return Base64.getDecoder().decode(signature).length == SIGNATURE_BYTES
                    ? refusals.badSignature(texts)
                    : refusals.badSignature(texts, "Signature size is invalid");
        } catch (IllegalArgumentException e) {
            return refusals.badSignature(texts, Refusals.MALFORMED);
        }
    }

    OptionalLong time(SignedRequest request, String name) {
        String text = field(request, name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong time = Ticks.parse(text);
        if (time.isEmpty()) {
            throw refusals.unauthenticated("The field " + name + " is not a time.", Refusals.MALFORMED);
        }
        return time;
    }

    /** Checks the validity period, from the start inclusive to the expiry exclusive. */
    void validity(OptionalLong start, OptionalLong expiry) {
        long now = Ticks.of(clock.instant());
        if (expiry.isEmpty()) {
            throw refusals.unauthenticated(
                    "The signature has no expiry, neither in se nor in a stored policy.",
                    "se is mandatory. Cannot be empty");
        }
        long from = start.orElse(now);
        if (now >= expiry.getAsLong()) {
            throw refusals.unauthenticated(
                    "The signature expired before " + Ticks.format(now, false) + ".",
                    frame(from, expiry.getAsLong(), now));
        }
        if (now < from) {
            throw refusals.unauthenticated(
                    "The signature is not yet valid at " + Ticks.format(now, false) + ".",
                    frame(from, expiry.getAsLong(), now));
        }
    }

    /** Checks the validity period of a user delegation key. */
    void keyValidity(long start, long expiry) {
        long now = Ticks.of(clock.instant());
        if (now < start || now >= expiry) {
            throw refusals.unauthenticated(
                    "The key of the signature is not valid at " + Ticks.format(now, false) + ".",
                    "Signature not valid in the specified key time frame: Key start " + bracketed(start)
                            + " - Key expiry " + bracketed(expiry) + " - Current " + bracketed(now));
        }
    }

    /** Returns the service's message about a validity period that does not include now; the default start is now. */
    private static String frame(long start, long expiry, long now) {
        return start >= expiry
                ? "Signed expiry time " + bracketed(expiry) + " must be after signed start time " + bracketed(start)
                : "Signature not valid in the specified time frame: Start " + bracketed(start) + " - Expiry "
                        + bracketed(expiry) + " - Current " + bracketed(now);
    }

    /** Formats a time as in the service's messages, clamped to the times that have this format. */
    static String bracketed(long ticks) {
        return '[' + Ticks.formatHttp(Math.max(0, Math.min(ticks, Ticks.MAX))) + ']';
    }

    void source(SignedRequest request) {
        String text = field(request, "sip");
        if (text.isEmpty()) {
            return;
        }
        SourceAddresses addresses = SourceAddresses.parse(text)
                .orElseThrow(() -> refusals.unauthenticated(
                        "The field sip is no IPv4 address or range of them.", Refusals.MALFORMED));
        if (!addresses.contains(request.clientAddress())) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_SOURCE_IP_MISMATCH,
                    "The request comes from " + request.clientAddress() + ".");
        }
    }

    void protocol(SignedRequest request) {
        switch (field(request, "spr")) {
            // Clients send both orders.
            case "", "https,http", "http,https" -> {}
            case "https" -> {
                if (!request.tls()) {
                    throw refusals.refuse(
                            StorageError.AUTHORIZATION_PROTOCOL_MISMATCH, "The signature is for https only.");
                }
            }
            default ->
                throw refusals.unauthenticated("The field spr is neither https nor https,http.", Refusals.MALFORMED);
        }
    }
}
