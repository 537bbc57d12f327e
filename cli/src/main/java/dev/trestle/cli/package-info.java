/**
 * The {@code trestle} command. {@link dev.trestle.cli.Main} is the entry point; each command is a picocli class. The serve
 * command makes a {@link dev.trestle.cli.ServeConfig} of its options, from which {@link dev.trestle.cli.ServerProcess}
 * starts a server on an engine. The only package that depends on all modules; it contains no rule of the protocol.
 */
@NullMarked
package dev.trestle.cli;

import org.jspecify.annotations.NullMarked;
