package dev.trestle.testkit;

import static dev.trestle.blob.TagExpression.Comparison.EQUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.TagExpression;
import dev.trestle.blob.TagFinder;
import dev.trestle.blob.TagQuery;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Scan;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The fixture of the contracts of tags. */
public abstract class TaggedBlobContract extends BlobGuardContract {
    protected TaggedBlobContract(StoreOpener opener) {
        super(opener);
    }

    protected final Blob putTagged(BlobAddress address, Map<String, String> tags) {
        return put(address, ONE, plain().withTags(tags));
    }

    protected final void setTags(String name, Map<String, String> tags) {
        await(blobs.setTags(at(name), AccessConditions.NONE, tags));
    }

    protected static TagExpression.Test is(String key, String value) {
        return new TagExpression.Test(key, EQUAL, value);
    }

    protected static TagQuery query(TagExpression.Test... tests) {
        return new TagQuery(Optional.empty(), List.of(tests));
    }

    /** Waits for a call that the engine has failed. */
    protected static void assertUnavailable(CompletionStage<?> stage) {
        Throwable failure = await(stage.handle((value, thrown) -> thrown == null ? null : StageFailures.cause(thrown)));
        assertThat(failure).isInstanceOf(EngineException.class);
    }

    /** All that is found in the account, page by page. */
    protected final List<TagFinder.Found> findAll(TagQuery query, int max) {
        List<TagFinder.Found> all = new ArrayList<>();
        Optional<TagFinder.Position> from = Optional.of(TagFinder.Position.START);
        while (from.isPresent()) {
            Page<TagFinder.Found, TagFinder.Position> page =
                    await(blobs.finder().find(account, query, max, from.get()));
            if (page.items().size() > max) {
                throw new AssertionError("a page of " + page.items().size());
            }
            all.addAll(page.items());
            from = page.next();
        }
        return all;
    }

    protected final List<String> namesOf(TagQuery query) {
        return findAll(query, 100).stream().map(TagFinder.Found::name).toList();
    }

    /** The partitions of all rows of the index of the container. */
    protected final List<String> indexRows() {
        List<String> found = new ArrayList<>();
        Scan.Limits limits = new Scan.Limits(10_000, 1 << 20, Limits.PAGE_TIME_MAX);
        try (var page = await(
                engine.scan(new Scan(List.of(Key.collectionRange(container())), Filter.ALL, List.of(), limits)))) {
            for (int i = 0; i < page.size(); i++) {
                String partition = page.key(i).partitionKey();
                if (partition.startsWith("t/")) {
                    String row = page.key(i).rowKey();
                    found.add(partition + " " + row.substring(0, row.indexOf('\u0001')));
                }
            }
        }
        return found;
    }
}
