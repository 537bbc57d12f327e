package dev.trestle.queue;

import java.util.UUID;

/**
 * A message. Times are ticks.
 *
 * @param visible when the message becomes visible, again or for the first time
 * @param receipt proves the right to change or delete the message
 * @param dequeueCount how often the message was received
 */
public record Message(
        UUID id, long inserted, long expiry, long visible, Receipt receipt, int dequeueCount, String text) {

    boolean hasExpired(long now) {
        return expiry <= now;
    }
}
