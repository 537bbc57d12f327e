/**
 * What the commands of Trestle share: {@link dev.trestle.commandline.UsageErrors} explains wrong command lines, converters
 * parse values. Knows no command.
 */
@NullMarked
package dev.trestle.commandline;

import org.jspecify.annotations.NullMarked;
