package dev.trestle.engine.rocksdb;

import java.util.List;

/** A cursor over adjacent cached runs that were all valid at one moment. */
final class CachedRows implements RowCursor {
    private final List<CachedRun> runs;

    /** Index of the first row of the last run that is out of range. */
    private final int lastEnd;

    private int number;
    private CachedRun run;
    private int index;
    private int end;

    /** @param to the exclusive upper bound, within the last run or at its end */
    CachedRows(List<CachedRun> runs, byte[] to) {
        this.runs = runs;
        CachedRun last = runs.get(runs.size() - 1);
        this.lastEnd = last.reaches(to) ? last.search(to) : last.size();
        this.run = runs.get(0);
        enter(0);
    }

    private void enter(int next) {
        number = next;
        run = runs.get(next);
        index = 0;
        end = next == runs.size() - 1 ? lastEnd : run.size();
    }

    /** Seeks a position within or before the first run. */
    @Override
    public void seek(byte[] position) {
        enter(0);
        index = run.search(position);
        skipEmpty();
    }

    @Override
    public boolean isValid() {
        return index < end;
    }

    @Override
    public void next() {
        index++;
        skipEmpty();
    }

    private void skipEmpty() {
        while (index >= end && number < runs.size() - 1) {
            enter(number + 1);
        }
    }

    @Override
    public int row(byte[] target, int offset, int space) {
        return run.row(index, target, offset, space);
    }

    @Override
    public int key(byte[] target, int offset, int space) {
        return run.key(index, target, offset, space);
    }

    @Override
    public byte[] key() {
        return run.key(index);
    }

    @Override
    public void status() {}

    @Override
    public boolean cached() {
        return true;
    }

    @Override
    public void close() {}
}
