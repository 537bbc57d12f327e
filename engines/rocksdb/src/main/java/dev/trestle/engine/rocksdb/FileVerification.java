package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowVerification;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;

/**
 * Verifies the checksums of every block of every SST file, one file at a time, on a dedicated thread. The store
 * can be closed or reopened between two files.
 */
final class FileVerification implements RowVerification {
    private final Store store;
    private final UsageLatch latch;
    private final RowDamage damage;

    FileVerification(Store store, UsageLatch latch, RowDamage damage) {
        this.store = store;
        this.latch = latch;
        this.damage = damage;
    }

    @Override
    public CompletionStage<Void> verify(Findings findings) {
        return CompletableFuture.runAsync(() -> all(findings), FileVerification::start);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "trestle-verify");
        thread.setDaemon(true);
        thread.start();
    }

    private void all(Findings findings) {
        int damaged = 0;
        for (LiveFileMetaData file : inside(store::files)) {
            String name = file.fileName().substring(1);
            Optional<String> found = inside(() -> damageOf(name));
            if (found.isEmpty()) {
                findings.sound(file.size());
            } else {
                damaged++;
                findings.damaged("rows/" + name, file.size(), found.get());
            }
        }
        if (damaged == 0) {
            damage.clear();
        }
    }

    private Optional<String> damageOf(String name) {
        try {
            store.verify(name);
            return Optional.empty();
        } catch (RocksDBException e) {
            // If the file was compacted away, its blocks were verified by the compaction.
            boolean live =
                    store.files().stream().anyMatch(file -> file.fileName().equals("/" + name));
            return live ? Optional.of(String.valueOf(e.getMessage())) : Optional.empty();
        }
    }

    private interface Inside<T> {
        T run();
    }

    private <T> T inside(Inside<T> work) {
        if (!latch.enter()) {
            throw RocksErrors.closed();
        }
        try {
            return work.run();
        } finally {
            latch.leave();
        }
    }
}
