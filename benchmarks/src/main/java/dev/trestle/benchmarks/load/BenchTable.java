package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of a run. A marker entity records that this command created the table, and how many entities it loaded. A
 * table without the marker belongs to someone else and is neither filled nor deleted.
 */
public final class BenchTable {
    private static final Pattern ENTITIES = Pattern.compile("\"Entities\"\\s*:\\s*\"(\\d+)\"");

    private final Endpoint endpoint;
    private final String table;

    public BenchTable(Endpoint endpoint, String table) {
        this.endpoint = endpoint;
        this.table = table;
    }

    /**
     * Creates and fills the table unless it exists.
     *
     * @return the server's name from its Server header
     * @throws IOException with a message for the user, if the table cannot be used
     */
    public String prepare(Target target, DataSet data, PrintStream err) throws IOException, InterruptedException {
        TableDialect dialect = new TableDialect(endpoint, table);
        long present;
        String server;
        try (Caller caller = firstCaller()) {
            Caller.Response marker = caller.exchange(dialect.readMarker());
            present = present(caller, dialect, marker);
            server = marker.server();
        }
        if (present > data.entities()) {
            throw new IOException("The table " + table + " holds " + present + " entities already; ask for that many"
                    + " with --entities, or for another table with --table.");
        }
        if (present < data.entities()) {
            Loader.load(target, data, present, err);
            try (Caller caller = new Caller(endpoint.address())) {
                caller.call(dialect.writeMarker(data.entities()));
            }
        }
        return server;
    }

    private Caller firstCaller() throws IOException {
        try {
            return new Caller(endpoint.address());
        } catch (IOException e) {
            String why = e instanceof ConnectException ? e.getMessage() : e.toString();
            throw new IOException("Cannot measure " + endpoint + ": " + why + ".", e);
        }
    }

    private long present(Caller caller, TableDialect dialect, Caller.Response marker) throws IOException {
        Matcher entities = ENTITIES.matcher(marker.text());
        if (marker.status() == 200 && entities.find()) {
            return Long.parseLong(entities.group(1));
        }
        if (marker.status() != 404) {
            throw new IOException("The endpoint returned status " + marker.status() + Caller.errorCode(marker.text())
                    + " when asked for the table " + table + ".");
        }
        Caller.Response created = caller.exchange(dialect.createTable());
        if (created.status() == 409) {
            throw new IOException("There is a table " + table
                    + " that was not made by this command; choose another name with --table.");
        }
        if (created.status() != 204 && created.status() != 201) {
            throw new IOException("The endpoint returned status " + created.status() + Caller.errorCode(created.text())
                    + " when asked to create the table " + table + ".");
        }
        caller.call(dialect.writeMarker(0));
        return 0;
    }

    /** Deletes the table, which {@link #prepare} found to have the marker. */
    public void drop() throws IOException {
        try (Caller caller = new Caller(endpoint.address())) {
            caller.call(new TableDialect(endpoint, table).deleteTable());
        }
    }
}
