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

/** What waits for the committer, bounded in number and bytes. Any thread offers, the committer alone takes. */
final class CommitQueue {
    /** Work for the committer, in the order of the calls. */
    sealed interface Task {
        long bytes();
    }

    /** A commit and the stage that waits for its result. */
    record Pending(Commit commit, long bytes, CompletableFuture<CommitResult> answer) implements Task {
        static Pending of(Commit commit) {
            return new Pending(commit, commit.bytes(), new CompletableFuture<>());
        }
    }

    /** Something to run once every commit taken before it is written or has failed. */
    record Barrier(Runnable then) implements Task {
        @Override
        public long bytes() {
            return 0;
        }
    }

    /** One group becomes one write and one sync; these keep a group's latency and its batch small. */
    private static final int GROUP_TASKS_MAX = 1024;

    private static final long GROUP_BYTES_MAX = 4L << 20;

    /** Commits up to this size are small. As many of them as may wait by default fit in the bytes that may. */
    private static final long SMALL_BYTES = 4 * 1024;

    private static final long MEDIUM_BYTES = 64 * 1024;

    /** The part of the bytes, one in so many, that only small commits may use. */
    private static final int RESERVED_FOR_SMALL = 16;

    /** The part that only small and medium ones may use. */
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

    /** Takes the task, or throws because the queue is full or closed. */
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

    /** Larger commits leave the last of the bytes to smaller ones, which are soon done. */
    private long bytesMaxOf(Task task) {
        if (task.bytes() <= SMALL_BYTES) {
            return bytesMax;
        }
        return bytesMax - bytesMax / (task.bytes() <= MEDIUM_BYTES ? RESERVED_FOR_SMALL : RESERVED_FROM_LARGE);
    }

    /**
     * Waits for tasks, or for the time to pass, and moves as many as make a group into {@code group}.
     *
     * @return false once the queue is closed and empty
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
                // The committer stops by close() alone, so that no commit it took is left without an answer.
            }
        }
        waiting = false;
    }

    /** Tasks that wait. */
    int size() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    /** Key and row bytes of the tasks that wait. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; what is in stays to be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** A wait that ends only with a task or {@link #close}. */
    static final long FOREVER = TimeUnit.DAYS.toNanos(365);
}
