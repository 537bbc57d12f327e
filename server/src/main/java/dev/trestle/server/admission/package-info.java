/**
 * Admission control and rate limiting: connections and memory in {@link dev.trestle.server.admission.ServerLoad},
 * requests and entities per second in {@link dev.trestle.server.admission.Throttle}. The package knows neither
 * requests nor services.
 */
@NullMarked
package dev.trestle.server.admission;

import org.jspecify.annotations.NullMarked;
