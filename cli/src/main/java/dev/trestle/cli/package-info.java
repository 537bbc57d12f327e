/**
 * The {@code trestle} command: {@link dev.trestle.cli.Main} reads the options, starts a server on an engine and says
 * where it listens. This is the only room that knows every module at once; it holds no rule of the protocol.
 */
@NullMarked
package dev.trestle.cli;

import org.jspecify.annotations.NullMarked;
