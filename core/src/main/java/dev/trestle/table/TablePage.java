package dev.trestle.table;

import java.util.List;
import java.util.Optional;

/**
 * One page of an account's tables.
 *
 * @param next the folded name to continue from, empty at the end
 */
public record TablePage(List<String> names, Optional<String> next) {}
