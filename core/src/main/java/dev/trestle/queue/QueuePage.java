package dev.trestle.queue;

import java.util.List;
import java.util.Optional;

/**
 * One page of an account's queues.
 *
 * @param next the name to continue from, empty at the end
 */
public record QueuePage(List<QueueInfo> queues, Optional<String> next) {}
