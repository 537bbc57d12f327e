package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DataSetTest {
    private static Set<String> asked(DataSet data) {
        Random random = new Random(1);
        return IntStream.range(0, 1000)
                .mapToObj(i -> data.anyPartitionKey(random))
                .collect(Collectors.toSet());
    }

    @Test
    void any_partition_is_asked_for_unless_told_otherwise() {
        assertThat(asked(DataSet.of(10_000)))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 10).mapToObj(Entities::partitionKey).toList());
    }

    @Test
    void a_working_set_lies_evenly_across_the_table() {
        assertThat(asked(DataSet.of(12_000, 3000)))
                .containsExactlyInAnyOrder(
                        Entities.partitionKey(0), Entities.partitionKey(4), Entities.partitionKey(8));
    }

    @Test
    void a_working_set_is_no_larger_than_the_table() {
        assertThat(asked(DataSet.of(2000, 50_000)))
                .containsExactlyInAnyOrder(Entities.partitionKey(0), Entities.partitionKey(1));
    }
}
