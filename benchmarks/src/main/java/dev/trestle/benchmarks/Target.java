package dev.trestle.benchmarks;

/** A server under load: how each workload's request looks there. */
interface Target {
    String name();

    int port();

    /** The whole head of a request, up to and including the empty line, and its body. */
    record Call(String head, byte[] body, int expectedStatus) {}

    Call pointRead(int partition, int row);

    Call insert(int partition, int row);

    Call transaction(int partition, int firstRow, int rows);

    Call page(int partition);
}
