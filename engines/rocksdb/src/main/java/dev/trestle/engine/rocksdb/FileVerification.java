package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowVerification;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;

/**
 * Verifies the checksums of every block of every SST file, one file after the other on a thread of its own. The store can
 * be closed or opened again between two files.
 */
final class FileVerification implements RowVerification {
    private final Store store;
    private final UsageLatch gate;
    private final RowDamage damage;

    FileVerification(Store store, UsageLatch gate, RowDamage damage) {
        this.store = store;
        this.gate = gate;
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
            // Compacted away in the meantime: its rows are in other files, for which its blocks were verified.
            boolean live =
                    store.files().stream().anyMatch(file -> file.fileName().equals("/" + name));
            return live ? Optional.of(String.valueOf(e.getMessage())) : Optional.empty();
        }
    }

    private interface Inside<T> {
        T run();
    }

    private <T> T inside(Inside<T> work) {
        if (!gate.enter()) {
            throw RocksErrors.closed();
        }
        try {
            return work.run();
        } finally {
            gate.leave();
        }
    }
}
