package dev.trestle.patterns.examples;

/** A scenario of the guide that shows one pattern. */
public interface Example {
    /** The name of the pattern, in small letters and dashes; its page in docs/patterns has the same. */
    String name();

    /** Plays the scenario with tables, queues and containers of the context, and looks whether the promise held. */
    ExampleResult run(ExampleContext context);
}
