package dev.trestle.benchmarks.load;

/**
 * Encodes requests for one kind of server. Confined to one connection: each call overwrites the request that the previous
 * one returned.
 */
interface Dialect {
    int TRANSACTION_ROWS = 100;
    int RANGE_ROWS = 100;
    int TAIL_ROWS = 10;

    Request pointRead(String partitionKey, long row);

    Request insert(String partitionKey, long row);

    Request delete(String partitionKey, long row);

    /** Changes one number of an entity, or inserts the entity. */
    Request merge(String partitionKey, long row, long visits);

    /** Inserts {@link #TRANSACTION_ROWS} entities. */
    Request transaction(String partitionKey, long firstRow);

    /** Inserts or replaces {@link #TRANSACTION_ROWS} entities. */
    Request load(String partitionKey, long firstRow);

    /** Reads {@link #RANGE_ROWS} entities from a row on. */
    Request range(String partitionKey, long firstRow);

    /** Reads the entities of one age in a partition. */
    Request filter(String partitionKey, int age);

    /** Reads a page of the table from the start of a partition. */
    Request page(String partitionKey);

    /** Reads the first {@link #TAIL_ROWS} entities of a partition, as an application reads the newest entries of a log. */
    Request tail(String partitionKey);
}
