package dev.trestle.examples;

import java.util.List;

/** The catalogue of all examples, in the order of the guide. */
final class Examples {
    private Examples() {}

    static List<Example> all() {
        return List.of(
                new OneToManyExample(),
                new OneToOneExample(),
                new ClientSideJoinExample(),
                new InheritanceExample(),
                new IntraPartitionIndexExample(),
                new InterPartitionIndexExample(),
                new EventualTransactionExample(),
                new IndexEntitiesExample(),
                new DenormalizationExample(),
                new CompoundKeyExample(),
                new LogTailExample(),
                new HighVolumeDeleteExample(),
                new DataSeriesExample(),
                new WideEntitiesExample(),
                new LargeEntitiesExample(),
                new PrependAppendExample(),
                new LogDataExample());
    }
}
