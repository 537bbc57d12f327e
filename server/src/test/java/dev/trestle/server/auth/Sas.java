package dev.trestle.server.auth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes shared access signatures, also ones that no client would. */
public final class Sas {
    private final Map<String, String> fields = new LinkedHashMap<>();
    private String key = Requests.KEY;
    private boolean scopeLine = true;
    private Optional<String> queue = Optional.empty();
    private Optional<String> blob = Optional.empty();
    private String snapshot = "";

    /** A signature that allows everything a table SAS can, on one table. */
    public static Sas table(String table) {
        return new Sas()
                .with("sp", "raud")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2019-02-02")
                .with("tn", table);
    }

    /** A signature that allows everything a queue SAS can, on one queue. */
    public static Sas ofQueue(String queue) {
        return new Sas()
                .queue(queue)
                .with("sp", "raup")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2026-06-06");
    }

    /** A signature that allows everything on one container, and on the blobs in it. */
    public static Sas ofContainer(String container) {
        return new Sas()
                .blob(container)
                .with("sp", "racwdl")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2026-06-06")
                .with("sr", "c");
    }

    /** A signature that allows everything on one blob, {@code container/name}. */
    public static Sas ofBlob(String path) {
        return ofContainer(path).with("sr", "b");
    }

    /** A signature over a snapshot, which the query names outside of the signature's own fields. */
    public static Sas ofSnapshot(String path, String snapshot) {
        return ofContainer(path).with("sr", "bs").snapshot(snapshot);
    }

    /** A signature over a blob by a user delegation key. */
    public static Sas ofDelegate(String path, UserDelegation.Key key) {
        return ofBlob(path)
                .with("se", key.expiry())
                .with("skoid", key.oid())
                .with("sktid", key.tid())
                .with("skt", key.start())
                .with("ske", key.expiry())
                .with("sks", key.service())
                .with("skv", key.version())
                .signedBy(key.value());
    }

    /** A signature that leaves all terms to a stored access policy. */
    public static Sas policy(String table, String id) {
        return new Sas().with("sv", "2019-02-02").with("tn", table).with("si", id);
    }

    /** A signature that allows everything an account SAS can. */
    public static Sas account() {
        return new Sas()
                .with("sp", "rwdlacup")
                .with("ss", "t")
                .with("srt", "sco")
                .with("se", "2027-01-01T00:00:00Z")
                .with("sv", "2019-02-02");
    }

    /** The queue this is for; it is no field, because the path names it. */
    Sas queue(String name) {
        queue = Optional.of(name);
        return this;
    }

    Optional<String> queue() {
        return queue;
    }

    /** The resource in the Blob service; it is no field of the SAS, because the path names it. */
    Sas blob(String path) {
        blob = Optional.of(path);
        return this;
    }

    Optional<String> blob() {
        return blob;
    }

    private Sas snapshot(String value) {
        snapshot = value;
        return with("snapshot", value);
    }

    public Sas with(String field, String value) {
        fields.put(field, value);
        return this;
    }

    public Sas without(String field) {
        fields.remove(field);
        return this;
    }

    public Sas signedBy(String otherKey) {
        key = otherKey;
        return this;
    }

    /** Leaves out the line of the encryption scope, as the table SDKs do. */
    Sas withoutScopeLine() {
        scopeLine = false;
        return this;
    }

    /** The fields with their signature, in the order they were set. */
    public Map<String, String> signed() {
        Map<String, String> signed = new LinkedHashMap<>(fields);
        signed.put("sig", Requests.sign(key, text()));
        return signed;
    }

    public String query() {
        return query(signed());
    }

    static String query(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private String text() {
        if (blob.isPresent()) {
            return String.join("\n", fields.containsKey("skoid") ? delegateLines() : blobLines());
        }
        if (queue.isPresent()) {
            String version = field("sv");
            return serviceText("queue", queue.get()) + (version.compareTo("2012-02-12") >= 0 ? "\n" + version : "");
        }
        return fields.containsKey("tn") ? tableText() : accountText();
    }

    private List<String> blobLines() {
        List<String> lines = new ArrayList<>(List.of(serviceText("blob", blob.orElseThrow())));
        from("2012-02-12", lines, field("sv"));
        from("2018-11-09", lines, field("sr"), snapshot);
        from("2020-12-06", lines, field("ses"));
        from("2013-08-15", lines, field("rscc"), field("rscd"), field("rsce"), field("rscl"), field("rsct"));
        return lines;
    }

    private List<String> delegateLines() {
        List<String> lines = new ArrayList<>(
                List.of(field("sp"), field("st"), field("se"), "/blob/" + Requests.ACCOUNT + "/" + blob.orElseThrow()));
        for (String name : List.of("skoid", "sktid", "skt", "ske", "sks", "skv")) {
            lines.add(field(name));
        }
        from("2020-02-10", lines, field("saoid"), field("suoid"), field("scid"));
        from("2025-07-05", lines, field("skdutid"), field("sduoid"));
        lines.addAll(List.of(field("sip"), field("spr"), field("sv"), field("sr"), snapshot));
        from("2020-12-06", lines, field("ses"));
        from("2026-04-06", lines, field("srh"), field("srq"));
        lines.addAll(List.of(field("rscc"), field("rscd"), field("rsce"), field("rscl"), field("rsct")));
        return lines;
    }

    private void from(String version, List<String> lines, String... further) {
        if (field("sv").compareTo(version) >= 0) {
            lines.addAll(List.of(further));
        }
    }

    private String tableText() {
        List<String> tail = List.of(field("sv"), field("spk"), field("srk"), field("epk"), field("erk"));
        return serviceText("table", field("tn").toLowerCase(Locale.ROOT)) + "\n" + String.join("\n", tail);
    }

    private String serviceText(String service, String name) {
        String version = field("sv");
        String resource = "/" + Requests.ACCOUNT + "/" + name;
        List<String> head = List.of(
                field("sp"),
                field("st"),
                field("se"),
                version.compareTo("2015-02-21") >= 0 ? "/" + service + resource : resource,
                field("si"));
        List<String> source = List.of(field("sip"), field("spr"));
        return String.join("\n", head) + (version.compareTo("2015-04-05") >= 0 ? "\n" + String.join("\n", source) : "");
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
