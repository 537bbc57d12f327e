/**
 * What tests of every module share: the engine contract as abstract test classes, a sorted map that is the oracle, seeded
 * generators and an engine that fails on request. Nothing here knows a particular engine.
 */
@NullMarked
package dev.trestle.testkit;

import org.jspecify.annotations.NullMarked;
