package dev.trestle.benchmarks.load;

/**
 * How the requests look at one kind of server. Belongs to one connection: each call writes over the request that the
 * one before returned.
 */
interface Dialect {
    int TRANSACTION_ROWS = 100;
    int RANGE_ROWS = 100;
    int TAIL_ROWS = 10;

    Request pointRead(String partitionKey, long row);

    Request insert(String partitionKey, long row);

    Request delete(String partitionKey, long row);

    /** Changes one number of an entity, which need not exist. */
    Request merge(String partitionKey, long row, long visits);

    /** Inserts {@link #TRANSACTION_ROWS} entities. */
    Request transaction(String partitionKey, long firstRow);

    /** The same, whether the entities are there already or not. */
    Request load(String partitionKey, long firstRow);

    /** {@link #RANGE_ROWS} entities from a row on. */
    Request range(String partitionKey, long firstRow);

    /** The entities of one age, of a whole partition. */
    Request filter(String partitionKey, int age);

    /** A page of the table from a partition's begin on. */
    Request page(String partitionKey);

    /** The first {@link #TAIL_ROWS} entities of a partition, as a log is kept that is read from its newest entry. */
    Request tail(String partitionKey);
}
