package dev.trestle.server.admission;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Admission control for connections, in total and per remote network. At a limit, a new connection evicts the one
 * that has been idle longest; at the limit of a network, one of that network. It is rejected only if none is idle.
 * Requests take no lock: they only mark their connection as busy. Thread-safe.
 */
public final class ConnectionLimiter {
    private static final long BUSY = -1;
    private static final long CLOSED = -2;

    /** The number of longest-idle connections that a scan finds, so that not every eviction needs a scan. */
    private static final int CANDIDATES_MAX = 64;

    private final int connectionsMax;
    private final int perNetworkMax;
    private final long startNanos = System.nanoTime();
    private final Set<Slot> slots = new HashSet<>();
    private final Map<RemoteNetwork, Share> shares = new HashMap<>();
    private final Queue<Candidate> candidates = new ArrayDeque<>();
    private long refused;
    private long evicted;

    public ConnectionLimiter(int connectionsMax, int perNetworkMax) {
        this.connectionsMax = connectionsMax;
        this.perNetworkMax = perNetworkMax;
    }

    /** The connections of one network. */
    private static final class Share {
        private final Queue<Candidate> candidates = new ArrayDeque<>();
        private int connections;
    }

    private record Candidate(Slot slot, long idleSince) {
        boolean evict() {
            return slot.state.compareAndSet(idleSince, CLOSED);
        }
    }

    /** The slot of an admitted connection. Its event loop marks it as busy and idle; any thread may evict it. */
    public final class Slot {
        private final RemoteNetwork network;
        private final Runnable close;

        /** The time since when it is idle, in nanoseconds from the start; or {@link #BUSY} or {@link #CLOSED}. */
        private final AtomicLong state;

        private Slot(RemoteNetwork network, Runnable close) {
            this.network = network;
            this.close = close;
            this.state = new AtomicLong(now());
        }

        /** Marks the connection as busy; returns false if it was evicted, so that the request must not be served. */
        public boolean begin() {
            long idleSince = state.get();
            return idleSince != CLOSED && state.compareAndSet(idleSince, BUSY);
        }

        /** Marks the connection as idle. */
        public void end() {
            state.compareAndSet(BUSY, now());
        }

        public boolean isEvicted() {
            return state.get() == CLOSED;
        }

        /** Frees the slot of a closed connection. Idempotent. */
        public void leave() {
            remove(this);
        }
    }

    private long now() {
        return System.nanoTime() - startNanos;
    }

    /**
     * Admits a connection, evicting another one if necessary.
     *
     * @param close closes the connection when it is evicted; called on any thread
     * @return the slot, to be freed with {@link Slot#leave}; empty if the connection is rejected
     */
    public synchronized Optional<Slot> enter(RemoteNetwork network, Runnable close) {
        Share share = shares.get(network);
        boolean fits = share == null || share.connections < perNetworkMax || evictOldest(share.candidates, network);
        if (!fits || (slots.size() >= connectionsMax && !evictOldest(candidates, null))) {
            refused++;
            return Optional.empty();
        }
        Slot slot = new Slot(network, close);
        slots.add(slot);
        shares.computeIfAbsent(network, first -> new Share()).connections++;
        return Optional.of(slot);
    }

    /**
     * Evicts the connection that has been idle longest. Connections that the last scan did not find were busy or idle
     * for less time than those it found. So a candidate is still the oldest if it has been idle since the same time.
     */
    private boolean evictOldest(Queue<Candidate> known, @Nullable RemoteNetwork network) {
        do {
            for (Candidate oldest = known.poll(); oldest != null; oldest = known.poll()) {
                if (oldest.evict()) {
                    remove(oldest.slot);
                    evicted++;
                    oldest.slot.close.run();
                    return true;
                }
            }
            scan(known, network);
        } while (!known.isEmpty());
        return false;
    }

    private void scan(Queue<Candidate> found, @Nullable RemoteNetwork network) {
        PriorityQueue<Candidate> oldest = new PriorityQueue<>(
                CANDIDATES_MAX + 1,
                Comparator.comparingLong(Candidate::idleSince).reversed());
        for (Slot slot : slots) {
            long idleSince = slot.state.get();
            if (idleSince >= 0 && (network == null || slot.network.equals(network))) {
                oldest.add(new Candidate(slot, idleSince));
                if (oldest.size() > CANDIDATES_MAX) {
                    oldest.remove();
                }
            }
        }
        oldest.stream().sorted(Comparator.comparingLong(Candidate::idleSince)).forEach(found::add);
    }

    private synchronized void remove(Slot slot) {
        slot.state.set(CLOSED);
        if (slots.remove(slot)) {
            Share share = shares.get(slot.network);
            if (share != null && --share.connections == 0) {
                shares.remove(slot.network);
            }
        }
    }

    public synchronized int connections() {
        return slots.size();
    }

    /** Returns the number of remote networks with connections. */
    synchronized int networks() {
        return shares.size();
    }

    /** Returns the number of connections rejected because all others were busy, since the start. */
    public synchronized long refused() {
        return refused;
    }

    /** Returns the number of idle connections evicted for new ones, since the start. */
    public synchronized long evicted() {
        return evicted;
    }
}
