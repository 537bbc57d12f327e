package dev.trestle.queue;

import java.util.UUID;

/**
 * A message as one holder sees it. Times are ticks.
 *
 * @param visible when it can be taken, again or for the first time
 * @param receipt what its holder shows to change or delete it
 * @param dequeueCount how often it was taken
 */
public record Message(
        UUID id, long inserted, long expiry, long visible, Receipt receipt, int dequeueCount, String text) {

    boolean hasExpired(long now) {
        return expiry <= now;
    }
}
