/**
 * How often may be asked: {@link dev.trestle.server.throttle.Throttle} refuses what goes over the limits set by the
 * user. It counts names and numbers, and knows neither HTTP nor the service.
 */
@NullMarked
package dev.trestle.server.throttle;

import org.jspecify.annotations.NullMarked;
