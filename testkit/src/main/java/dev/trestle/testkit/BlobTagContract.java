package dev.trestle.testkit;

import static dev.trestle.blob.TagExpression.Comparison.GREATER;
import static dev.trestle.blob.TagExpression.Comparison.GREATER_OR_EQUAL;
import static dev.trestle.blob.TagExpression.Comparison.LESS;
import static dev.trestle.blob.TagExpression.Comparison.LESS_OR_EQUAL;
import static dev.trestle.blob.TagExpression.Comparison.NOT_EQUAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Copies;
import dev.trestle.blob.TagExpression;
import dev.trestle.blob.TagFinder;
import dev.trestle.blob.TagQuery;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tags of blobs, conditions on them, and searches by them. */
public abstract class BlobTagContract extends TaggedBlobContract {
    protected BlobTagContract(StoreOpener opener) {
        super(opener);
    }

    @Test
    void tags_are_replaced_as_a_whole_and_change_nothing_else() {
        Blob made = putTagged(at("a"), Map.of("k", "1", "l", "2"));
        setTags("a", Map.of("k", "3"));
        Blob tagged = find("a");
        assertThat(tagged.tags().values()).isEqualTo(Map.of("k", "3"));
        assertThat(etag(tagged)).isEqualTo(etag(made));
        setTags("a", Map.of());
        assertThat(find("a").tags().isEmpty()).isTrue();
        assertThat(indexRows()).isEmpty();
    }

    @Test
    void an_overwritten_blob_has_the_tags_it_is_given_and_no_others() {
        putTagged(at("a"), Map.of("k", "1"));
        put("a", ONE);
        assertThat(find("a").tags().isEmpty()).isTrue();
        assertThat(indexRows()).isEmpty();
        putTagged(at("a"), Map.of("k", "2", "l", "1"));
        assertThat(indexRows()).containsExactly("t/k!2 a", "t/l!1 a");
    }

    @Test
    void all_other_changes_leave_the_tags_as_they_are() {
        putTagged(at("a"), Map.of("k", "1"));
        await(blobs.setMetadata(at("a"), AccessConditions.NONE, Map.of("m", "n")));
        await(blobs.setHeaders(at("a"), AccessConditions.NONE, ContentHeaders.NONE));
        await(setTier("a", AccessConditions.NONE, "Cool"));
        lease("a", acquire(MINE, 15));
        assertThat(find("a").tags().values()).isEqualTo(Map.of("k", "1"));
        await(blobs.appends().create(at("log"), plain().withTags(Map.of("k", "1"))));
        append("log", ONE);
        assertThat(find("log").tags().values()).isEqualTo(Map.of("k", "1"));
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a", "log");
    }

    @Test
    void a_snapshot_keeps_the_tags_of_its_blob_and_is_not_found() {
        putTagged(at("a"), Map.of("k", "1"));
        Blob taken = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        setTags("a", Map.of("k", "2"));
        assertThat(await(blobs.find(at("a"), taken.snapshot(), AccessConditions.NONE))
                        .tags()
                        .values())
                .isEqualTo(Map.of("k", "1"));
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.ONLY));
        assertThat(namesOf(query(is("k", "2")))).containsExactly("a");
        await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()));
        await(blobs.delete(at("a"), AccessConditions.NONE, BlobService.Snapshots.INCLUDE));
        assertThat(indexRows()).isEmpty();
    }

    @Test
    void a_copy_has_the_tags_that_are_asked_for() {
        putTagged(at("a"), Map.of("k", "1"));
        Copies.Source source =
                new Copies.Source(at("a"), OptionalLong.empty(), AccessConditions.NONE, "http://127.0.0.1/a");
        await(blobs.copies().copy(source, at("plain"), found -> plain()));
        await(blobs.copies()
                .copy(source, at("same"), found -> plain().withTags(found.tags().values())));
        assertThat(find("plain").tags().isEmpty()).isTrue();
        assertThat(namesOf(query(is("k", "1")))).containsExactly("a", "same");
    }

    @Test
    void a_condition_on_tags_stands_in_the_way_of_every_operation() {
        putTagged(at("a"), Map.of("k", "1"));
        await(blobs.appends().create(at("log"), plain().withTags(Map.of("k", "1"))));
        AccessConditions other = guard(is("k", "2"));
        long snapshot = await(blobs.snapshot(at("a"), AccessConditions.NONE, Map.of()))
                .snapshot()
                .orElseThrow();
        Blob before = find("a");
        List<CompletionStage<?>> refused = List.of(
                blobs.find(at("a"), OptionalLong.empty(), other),
                blobs.blocks().list(at("a"), OptionalLong.empty(), other),
                blobs.blocks().put(at("a"), guarded(other), staged(at("a"), ONE)),
                blobs.blocks().commit(at("a"), List.of(), guarded(other)),
                blobs.appends().create(at("log"), guarded(other)),
                blobs.appends()
                        .append(
                                at("log"),
                                staged(at("log"), ONE),
                                new AppendBlobs.Terms(other, OptionalLong.empty(), OptionalLong.empty())),
                blobs.appends().seal(at("log"), other, OptionalLong.empty()),
                blobs.setHeaders(at("a"), other, ContentHeaders.NONE),
                blobs.setMetadata(at("a"), other, Map.of()),
                setTier("a", other, "Cool"),
                blobs.setTags(at("a"), other, Map.of()),
                blobs.snapshot(at("a"), other, Map.of()),
                blobs.lease(at("a"), other, acquire(MINE, 15)),
                blobs.deleteSnapshot(at("a"), snapshot, other),
                blobs.delete(at("a"), other, BlobService.Snapshots.INCLUDE),
                blobs.blocks().put(at("none"), guarded(other), staged(at("none"), ONE)));
        refused.forEach(each -> assertThat(errorOf(each)).isEqualTo(StorageError.CONDITION_NOT_MET));
        assertThat(find("a")).isEqualTo(before);
        Copies.Source source = new Copies.Source(at("a"), OptionalLong.empty(), other, "http://127.0.0.1/a");
        assertThat(errorOf(blobs.copies().copy(source, at("b"), found -> plain())))
                .isEqualTo(StorageError.SOURCE_CONDITION_NOT_MET);
        await(blobs.delete(at("a"), guard(is("k", "1")), BlobService.Snapshots.INCLUDE));
        put(at("none"), ONE, guarded(guard(new TagExpression.Test("k", NOT_EQUAL, "1"))));
    }

    private static AccessConditions guard(TagExpression tags) {
        return new AccessConditions(Conditions.NONE, Optional.empty(), Optional.of(tags));
    }

    @Test
    void ranges_of_values_are_found_in_their_order() {
        List<String> values = List.of("", "1", "10", "2", "A", "a", "a b", "a+b");
        for (int i = 0; i < values.size(); i++) {
            putTagged(at("b" + i), Map.of("k", values.get(i), "k 2", "x", "l", "y"));
        }
        assertThat(namesOf(range(GREATER, "10"))).containsExactly("b3", "b4", "b5", "b6", "b7");
        assertThat(namesOf(range(GREATER_OR_EQUAL, "10"))).containsExactly("b2", "b3", "b4", "b5", "b6", "b7");
        assertThat(namesOf(range(LESS, "10"))).containsExactly("b0", "b1");
        assertThat(namesOf(range(LESS_OR_EQUAL, "10"))).containsExactly("b0", "b1", "b2");
        assertThat(namesOf(query(test(GREATER, "1"), test(LESS_OR_EQUAL, "A")))).containsExactly("b2", "b3", "b4");
        assertThat(namesOf(query(test(GREATER, "b"), test(LESS, "a")))).isEmpty();
        assertThat(namesOf(query(test(GREATER, "1"), is("l", "y"), test(LESS, "3"))))
                .containsExactly("b2", "b3");
        assertThat(namesOf(query(is("k", "")))).containsExactly("b0");
    }

    private static TagExpression.Test test(TagExpression.Comparison comparison, String value) {
        return new TagExpression.Test("k", comparison, value);
    }

    private static TagQuery range(TagExpression.Comparison comparison, String value) {
        return query(test(comparison, value));
    }

    @Test
    void a_blob_is_found_with_those_of_its_tags_that_were_asked_for() {
        putTagged(at("a"), Map.of("k", "1", "l", "2", "m", "3"));
        putTagged(at("b"), Map.of("k", "1"));
        assertThat(findAll(query(is("l", "2"), is("k", "1")), 10))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.container()).isEqualTo(LOGS.value());
                    assertThat(found.tags()).isEqualTo(Map.of("k", "1", "l", "2"));
                });
    }

    @Test
    void an_account_is_searched_container_by_container_and_page_by_page() {
        await(blobs.containers().create(account, OTHERS, Map.of(), PublicAccess.NONE));
        for (int i = 0; i < 9; i++) {
            putTagged(at("a" + i), Map.of("k", "1", "half", i % 2 == 0 ? "yes" : "no"));
            putTagged(in(OTHERS, "b" + i), Map.of("k", "1", "half", i % 2 == 0 ? "yes" : "no"));
        }
        for (int max : List.of(1, 2, 4, 9, 10, 100)) {
            assertThat(findAll(query(is("k", "1")), max))
                    .extracting(TagFinder.Found::name)
                    .containsExactly(
                            "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "b0", "b1", "b2", "b3", "b4", "b5",
                            "b6", "b7", "b8");
        }
        assertThat(findAll(query(is("k", "1"), is("half", "no")), 3))
                .extracting(TagFinder.Found::name)
                .containsExactly("a1", "a3", "a5", "a7", "b1", "b3", "b5", "b7");
        TagQuery inOthers = new TagQuery(Optional.of(OTHERS.value()), List.of(is("half", "no")));
        assertThat(findAll(inOthers, 3)).extracting(TagFinder.Found::name).containsExactly("b1", "b3", "b5", "b7");
        Page<TagFinder.Found, TagFinder.Position> page =
                await(blobs.finder().find(account, OTHERS, query(is("half", "no")), 4, TagFinder.Position.START));
        assertThat(page.items()).hasSize(4);
        assertThat(page.next()).isEmpty();
    }

    @Test
    void what_was_in_a_deleted_container_is_not_found_in_the_next_of_that_name() {
        putTagged(at("a"), Map.of("k", "1"));
        await(blobs.containers().delete(account, LOGS, AccessConditions.NONE));
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
        assertThat(errorOf(blobs.finder().find(account, LOGS, query(is("k", "1")), 1, TagFinder.Position.START)))
                .isEqualTo(StorageError.CONTAINER_NOT_FOUND);
        await(blobs.containers().create(account, LOGS, Map.of(), PublicAccess.NONE));
        assertThat(namesOf(query(is("k", "1")))).isEmpty();
    }

    @Test
    void a_blob_without_tags_costs_no_more_than_before() {
        int untagged = commitsOf(() -> put("a", ONE));
        assertThat(untagged).isEqualTo(2);
        assertThat(commitsOf(() -> setTags("a", Map.of()))).isEqualTo(1);
        assertThat(commitsOf(() -> putTagged(at("b"), Map.of("k", "1", "l", "2"))))
                .isEqualTo(untagged + 2);
        assertThat(commitsOf(() -> await(blobs.setMetadata(at("b"), AccessConditions.NONE, Map.of()))))
                .isEqualTo(1);
        assertThat(commitsOf(() -> setTags("b", Map.of("k", "1", "l", "3")))).isEqualTo(3);
    }

    private int commitsOf(Runnable work) {
        int before = faulty.calls(FaultyEngine.Call.COMMIT);
        work.run();
        return faulty.calls(FaultyEngine.Call.COMMIT) - before;
    }
}
