package dev.trestle.examples;

/** A runnable scenario that shows one pattern. */
interface Example {
    /** Returns the name of the pattern, lower case with dashes, which is also the name of its page in docs/patterns. */
    String name();

    /** Runs the scenario against the service of the context and checks the promise of the pattern. */
    ExampleResult run(ExampleContext context);
}
