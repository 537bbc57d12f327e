/**
 * Limits on what clients may have at once: connections and memory ({@link dev.trestle.server.admission.ServerLoad}), and
 * requests and entities per second ({@link dev.trestle.server.admission.Throttle}). Knows neither requests nor services.
 */
@NullMarked
package dev.trestle.server.admission;

import org.jspecify.annotations.NullMarked;
