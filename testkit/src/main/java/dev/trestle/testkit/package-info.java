/**
 * Support for the tests of all modules: the contracts of engines and blobs as abstract test classes, model
 * implementations as oracles, seeded generators, and an engine with injected faults. Independent of any particular
 * engine.
 */
@NullMarked
package dev.trestle.testkit;

import org.jspecify.annotations.NullMarked;
