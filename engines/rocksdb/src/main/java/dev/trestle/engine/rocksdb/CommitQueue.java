package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The queue of the committer, bounded in number and bytes. Any thread offers; only the committer takes. */
final class CommitQueue {
    /** An entry of the queue. */
    sealed interface Task {
        long bytes();
    }

    /** A commit and its result. */
    record Pending(Commit commit, long bytes, CompletableFuture<CommitResult> answer) implements Task {
        static Pending of(Commit commit) {
            return new Pending(commit, commit.bytes(), new CompletableFuture<>());
        }
    }

    /** An action that runs after all earlier commits are written or have failed. */
    record Barrier(Runnable then) implements Task {
        @Override
        public long bytes() {
            return 0;
        }
    }

    /** Limits of a group, which is one write and one sync; they bound its latency and its size. */
    private static final int GROUP_TASKS_MAX = 1024;

    private static final long GROUP_BYTES_MAX = 4L << 20;

    /** Commits up to this size are small. By default, a full queue of them fits in the byte limit. */
    private static final long SMALL_BYTES = 4 * 1024;

    private static final long MEDIUM_BYTES = 64 * 1024;

    /** One part in so many of the byte limit is reserved for small commits. */
    private static final int RESERVED_FOR_SMALL = 16;

    /** One part in so many is reserved for small and medium ones. */
    private static final int RESERVED_FROM_LARGE = 8;

    private final int tasksMax;
    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private long bytes;
    private boolean waiting;
    private boolean closed;

    CommitQueue(int tasksMax, long bytesMax) {
        this.tasksMax = tasksMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Adds the task.
     *
     * @throws EngineException if the queue is full or closed
     */
    void offer(Task task) {
        lock.lock();
        try {
            if (closed) {
                throw RocksErrors.closed();
            }
            if (tasks.size() >= tasksMax || (!tasks.isEmpty() && bytes + task.bytes() > bytesMaxOf(task))) {
                throw new EngineException(EngineException.Kind.OVERLOADED, "Too many commits wait to be written.");
            }
            tasks.add(task);
            bytes += task.bytes();
            if (waiting) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the byte limit for a task: larger commits leave space for smaller ones, which are written quickly.
     */
    private long bytesMaxOf(Task task) {
        if (task.bytes() <= SMALL_BYTES) {
            return bytesMax;
        }
        return bytesMax - bytesMax / (task.bytes() <= MEDIUM_BYTES ? RESERVED_FOR_SMALL : RESERVED_FROM_LARGE);
    }

    /**
     * Waits for tasks or until the timeout, and moves as many as make a group into {@code group}.
     *
     * @return false if the queue is closed and empty
     */
    boolean take(List<Task> group, long waitNanosMax) {
        lock.lock();
        try {
            awaitTasks(waitNanosMax);
            long groupBytes = 0;
            for (Task next = tasks.peek();
                    next != null
                            && group.size() < GROUP_TASKS_MAX
                            && (group.isEmpty() || groupBytes + next.bytes() <= GROUP_BYTES_MAX);
                    next = tasks.peek()) {
                group.add(tasks.remove());
                groupBytes += next.bytes();
            }
            bytes -= groupBytes;
            return !(closed && group.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    private void awaitTasks(long waitNanosMax) {
        long rest = waitNanosMax;
        waiting = true;
        while (tasks.isEmpty() && !closed && rest > 0) {
            try {
                rest = changed.awaitNanos(rest);
            } catch (InterruptedException e) {
                // Only close() stops the committer, so that every accepted commit completes.
            }
        }
        waiting = false;
    }

    /** Returns the number of tasks. */
    int size() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the key and row bytes of all tasks. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Rejects further tasks; those in the queue can still be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** A timeout that never passes. */
    static final long FOREVER = TimeUnit.DAYS.toNanos(365);
}
