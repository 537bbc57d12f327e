package dev.trestle.server.auth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes shared access signatures, also ones that no client would. */
final class Sas {
    private final Map<String, String> fields = new LinkedHashMap<>();
    private String key = Requests.KEY;
    private boolean scopeLine = true;

    /** A signature that allows everything a table SAS can, on one table. */
    static Sas table(String table) {
        return new Sas()
                .with("sp", "raud")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2019-02-02")
                .with("tn", table);
    }

    /** A signature that leaves all terms to a stored access policy. */
    static Sas policy(String table, String id) {
        return new Sas().with("sv", "2019-02-02").with("tn", table).with("si", id);
    }

    /** A signature that allows everything an account SAS can. */
    static Sas account() {
        return new Sas()
                .with("sp", "rwdlacup")
                .with("ss", "t")
                .with("srt", "sco")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2019-02-02");
    }

    Sas with(String field, String value) {
        fields.put(field, value);
        return this;
    }

    Sas without(String field) {
        fields.remove(field);
        return this;
    }

    Sas signedBy(String otherKey) {
        key = otherKey;
        return this;
    }

    /** Leaves out the line of the encryption scope, as the table SDKs do. */
    Sas withoutScopeLine() {
        scopeLine = false;
        return this;
    }

    /** The fields with their signature, in the order they were set. */
    Map<String, String> signed() {
        Map<String, String> signed = new LinkedHashMap<>(fields);
        signed.put("sig", Requests.sign(key, fields.containsKey("tn") ? tableText() : accountText()));
        return signed;
    }

    String query() {
        return query(signed());
    }

    static String query(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private String tableText() {
        String version = field("sv");
        String resource = "/" + Requests.ACCOUNT + "/" + field("tn").toLowerCase(Locale.ROOT);
        List<String> head = List.of(
                field("sp"),
                field("st"),
                field("se"),
                version.compareTo("2015-02-21") >= 0 ? "/table" + resource : resource,
                field("si"));
        List<String> source = List.of(field("sip"), field("spr"));
        List<String> tail = List.of(version, field("spk"), field("srk"), field("epk"), field("erk"));
        return String.join("\n", head)
                + (version.compareTo("2015-04-05") >= 0 ? "\n" + String.join("\n", source) : "")
                + "\n"
                + String.join("\n", tail);
    }

    private String accountText() {
        String text = String.join(
                "\n",
                Requests.ACCOUNT,
                field("sp"),
                field("ss"),
                field("srt"),
                field("st"),
                field("se"),
                field("sip"),
                field("spr"),
                field("sv"),
                "");
        return field("sv").compareTo("2020-12-06") >= 0 && scopeLine ? text + field("ses") + "\n" : text;
    }

    private String field(String name) {
        return fields.getOrDefault(name, "");
    }
}
