package dev.trestle.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every option of {@code trestle serve}, once. The command line, the environment, the config file and the help all
 * derive from this list: {@code table-port} is {@code --table-port}, {@code TRESTLE_TABLE_PORT} and
 * {@code table-port=} there.
 */
enum ServeOption {
    DATA("data", "DIR", "trestle-data", "Folder that holds the data; made when it does not exist."),
    IN_MEMORY("in-memory", "Keep the data in memory only; nothing is left behind."),
    HOST("host", "ADDRESS", "127.0.0.1", "Address to listen on; 0.0.0.0 is every address of this machine."),
    TABLE_PORT("table-port", "PORT", "10002", "Port of the Table service; 0 takes any free one and prints it."),
    QUEUE_PORT(
            "queue-port",
            "PORT",
            "10001",
            "Port of the Queue service; 0 takes any free one and prints it, which also happens without this option when"
                    + " --table-port is not 10002."),
    BLOB_PORT(
            "blob-port",
            "PORT",
            "10000",
            "Port of the Blob service; 0 takes any free one and prints it, which also happens without this option when"
                    + " --table-port is not 10002."),
    SERVICES("services", "table,queue,blob", "table,queue,blob", "Services to serve."),
    PUBLIC_ACCESS(
            "public-access",
            "Let owners open containers of blobs to readers without credentials; without this, nobody can."),
    REHYDRATION_TIME(
            "rehydration-time",
            "SECONDS",
            "5",
            "How long a blob takes from the archive tier to another one; until then it cannot be read. 0 takes no time."),
    ACCOUNT(
            "account",
            "NAME:KEY[:KEY2]",
            null,
            "Account and its keys in Base64, two for rotation. May be repeated, or several separated by ';'. Without"
                    + " any, AZURITE_ACCOUNTS is read; without that, it is devstoreaccount1 with the well-known"
                    + " development key."),
    DURABILITY(
            "durability",
            "synced|buffered",
            "synced",
            "What an acknowledged write survives: synced, a loss of power; buffered, a crash of the server only."),
    ENGINE(
            "engine",
            "rocksdb|hbase",
            "rocksdb",
            "Engine that stores the data: rocksdb, in a folder of this machine; hbase, in an HBase cluster that any number"
                    + " of servers share."),
    HBASE_QUORUM(
            "hbase-quorum",
            "HOST:PORT[,HOST]",
            null,
            "ZooKeeper of the HBase cluster. Needs --engine hbase, as the next three do."),
    HBASE_NAMESPACE("hbase-namespace", "NAME", "trestle", "HBase namespace that holds the data; made at first start."),
    HBASE_CONF(
            "hbase-conf",
            "DIR",
            null,
            "Folder with the cluster's hbase-site.xml, for Kerberos and whatever else it sets."),
    HBASE_CONTENT_DIR(
            "hbase-content-dir",
            "URI",
            null,
            "Folder of the cluster's file system for what is too large for rows; beside the root folder of HBase unless told."),
    TLS_CERT("tls-cert", "FILE", null, "Certificate chain in PEM; serves https. Needs --tls-key."),
    TLS_KEY("tls-key", "FILE", null, "Private key in PEM. Needs --tls-cert."),
    BEARER_KEYS(
            "bearer-keys",
            "FILE",
            null,
            "Public keys of an issuer of bearer tokens, a JSON Web Key Set; every token by it for the audience then opens"
                    + " every account. Needs the next two."),
    BEARER_ISSUER("bearer-issuer", "TEXT", null, "The iss that these tokens must have."),
    BEARER_AUDIENCE("bearer-audience", "TEXT", null, "The aud that these tokens must have."),
    BEARER_TENANT(
            "bearer-tenant",
            "GUID",
            null,
            "Tenant that the 401 challenge names, where clients ask for a token. Default: the GUID in --bearer-issuer, if"
                    + " there is one."),
    ALLOW_DEVELOPMENT_KEY(
            "allow-development-key",
            "Accept the well-known development key on an address that others can reach. Everybody knows this key."),
    ADMIN_HOST("admin-host", "ADDRESS", "127.0.0.1", "Address that health and metrics are served on."),
    ADMIN_PORT(
            "admin-port",
            "PORT|off",
            "10003",
            "Port of /health/live, /health/ready and /metrics. 0 takes any free one and prints it, which also happens"
                    + " without this option when --table-port is not 10002; off serves none."),
    ACCESS_LOG("access-log", "off|text|json", "off", "Write a line for each request."),
    ACCESS_LOG_FILE("access-log-file", "FILE", null, "File to add these lines to, instead of standard error."),
    MEMORY(
            "memory",
            "SIZE",
            "1g",
            "Memory that the whole process may take, as 768m or 4g. What the Java heap leaves of it goes to the engine's"
                    + " cache."),
    TRANSPORT(
            "transport",
            "auto|io_uring|epoll|nio",
            "auto",
            "How sockets are got at: auto takes the first of the others that this system has, which is the one that costs"
                    + " least."),
    MAX_CONNECTIONS(
            "max-connections",
            "N",
            "10000",
            "Open connections at most; one more evicts the one idle longest, or is closed at once if none is idle."),
    MAX_CONNECTIONS_PER_ADDRESS(
            "max-connections-per-address",
            "N",
            null,
            "Open connections from one remote address, or from one /64 of IPv6, likewise. Default: all but a tenth of --max-connections."),
    MAX_BODY_MEMORY(
            "max-body-memory",
            "SIZE",
            "64m",
            "Memory for bodies that are arriving or being served, all together; beyond it requests get 503 ServerBusy."),
    MAX_ANSWER_MEMORY(
            "max-answer-memory",
            "SIZE",
            "64m",
            "Memory for large answers that clients have not taken yet, all together; pages get smaller as it fills, and"
                    + " beyond it large reads get 503 ServerBusy."),
    MAX_REQUEST_LINE("max-request-line", "SIZE", "256k", "The line of a request; a longer one gets 414."),
    MAX_HEADERS("max-headers", "SIZE", "64k", "The headers of a request; longer ones get 431."),
    MAX_QUEUED_COMMITS(
            "max-queued-commits", "N", "8192", "Transactions that wait to be written; one more gets 503 ServerBusy."),
    MAX_QUEUED_COMMIT_MEMORY(
            "max-queued-commit-memory", "SIZE", "32m", "Their keys and rows; beyond it writes get 503 ServerBusy."),
    MAX_QUEUED_SCANS(
            "max-queued-scans", "N", "1024", "Pages of queries that wait for a thread; one more gets 503 ServerBusy."),
    MAX_QUEUED_READS(
            "max-queued-reads", "N", "1024", "Reads from disk that wait for a thread; one more gets 503 ServerBusy."),
    SCAN_THREADS(
            "scan-threads", "N", null, "Pages read at once. Default: one a processor, at least 2; 32 from a cluster."),
    READ_THREADS(
            "read-threads",
            "N",
            null,
            "Reads from disk at once. Default: one a processor, at least 4; 200 from a cluster."),
    BODY_TIMEOUT("body-timeout", "SECONDS", "30", "For a body to arrive; a later one ends its connection."),
    REQUEST_TIMEOUT(
            "request-timeout",
            "SECONDS",
            "30",
            "For a request to be answered, unless its client asks for less; then it gets 500 OperationTimedOut."),
    ANSWER_TIMEOUT(
            "answer-timeout", "SECONDS", "120", "For a client to take nothing of a large answer; then it is closed."),
    IDLE_TIMEOUT("idle-timeout", "SECONDS", "120", "For a connection to bring no request; then it is closed."),
    STOP_TIMEOUT("stop-timeout", "SECONDS", "20", "For requests under way to finish when the server stops."),
    LIMIT_ACCOUNT_REQUESTS(
            "limit-account-requests", "N", null, "Requests a second to an account; beyond it they get 503 ServerBusy."),
    LIMIT_PARTITION_ENTITIES(
            "limit-partition-entities",
            "N",
            null,
            "Entities a second read or written in a partition; beyond it requests get 503 ServerBusy."),
    REHEARSE_AZURE(
            "rehearse-azure",
            "Limit rates to the published targets of Azure, 20000 requests an account and 2000 entities a partition,"
                    + " where not limited otherwise."),
    LOG_LEVEL("log-level", "error|warn|info|debug|trace", "info", "How much to log, to standard error."),
    CONFIG("config", "FILE", null, "File of these options in Java properties syntax, as table-port=10002.");

    static final String ENVIRONMENT_PREFIX = "TRESTLE_";

    /** Where an option stands in the help. */
    enum Group {
        SERVING("Serving"),
        WATCHING("Watching"),
        LIMITS("Memory and limits; the defaults suit most");

        private final String heading;

        Group(String heading) {
            this.heading = heading;
        }

        String heading() {
            return heading;
        }
    }

    private final String key;
    private final @Nullable String label;
    private final @Nullable String defaultText;
    private final String description;

    ServeOption(String key, String label, @Nullable String defaultText, String description) {
        this.key = key;
        this.label = label;
        this.defaultText = defaultText;
        this.description = description;
    }

    /** A switch: off unless given. */
    ServeOption(String key, String description) {
        this.key = key;
        this.label = null;
        this.defaultText = "false";
        this.description = description;
    }

    /** The name in a config file. */
    String key() {
        return key;
    }

    /** The name on the command line. */
    String flag() {
        return "--" + key;
    }

    /** The name in the environment. */
    String variable() {
        return ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** What stands for the value in the help; empty for a switch. */
    Optional<String> label() {
        return Optional.ofNullable(label);
    }

    /** The value when no source gives one. */
    Optional<String> defaultText() {
        return Optional.ofNullable(defaultText);
    }

    String description() {
        return description;
    }

    Group group() {
        return switch (this) {
            case ADMIN_HOST, ADMIN_PORT, ACCESS_LOG, ACCESS_LOG_FILE, LOG_LEVEL -> Group.WATCHING;
            default -> isLimit() ? Group.LIMITS : Group.SERVING;
        };
    }

    /** They stand together in the list. */
    private boolean isLimit() {
        return compareTo(MEMORY) >= 0 && compareTo(REHEARSE_AZURE) <= 0;
    }

    boolean repeatable() {
        return this == ACCOUNT;
    }

    /** A file that names another would leave open which of the two wins. */
    boolean allowedInFile() {
        return this != CONFIG;
    }

    static Stream<ServeOption> all() {
        return Stream.of(values());
    }
}
