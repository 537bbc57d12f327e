package dev.trestle.testkit;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.RowVerification;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A decorator that forwards every call to another engine; subclasses override the calls that they observe or change. */
public class ForwardingEngine implements Engine {
    private final Engine engine;

    public ForwardingEngine(Engine engine) {
        this.engine = engine;
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return engine.read(key);
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        return engine.scan(scan);
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        return engine.commit(commit);
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        return engine.drop(collection);
    }

    @Override
    public void release(long collection) {
        engine.release(collection);
    }

    @Override
    public boolean isShared() {
        return engine.isShared();
    }

    @Override
    public Optional<RowVerification> rowVerification() {
        return engine.rowVerification();
    }

    @Override
    public void close() {
        engine.close();
    }
}
