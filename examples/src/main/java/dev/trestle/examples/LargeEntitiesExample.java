package dev.trestle.examples;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.layout.LargeEntity;
import dev.trestle.patterns.layout.LargeEntity.Whole;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Stores an employee's photo as a blob. */
final class LargeEntitiesExample implements Example {
    @PartitionKey("{department}")
    @RowKey("{id:000000}")
    record Pictured(String department, int id, String photo) {
        Pictured withPhoto(String address) {
            return new Pictured(department, id, address);
        }
    }

    @Override
    public String name() {
        return "large-entities";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        BlobContainerClient container = context.container("photos");
        EntityTable<Pictured> table = EntityTable.of(context.table("employees"), Pictured.class);
        BinaryData oldPhoto = BinaryData.fromBytes(new byte[2_000_000]);
        BinaryData newPhoto = BinaryData.fromBytes(new byte[1_500_000]);

        LargeEntity<Pictured> employees = LargeEntity.of(table, container, Pictured::photo, Pictured::withPhoto);
        employees.put(new Pictured("Sales", 223, ""), oldPhoto);
        employees.put(new Pictured("Sales", 223, ""), newPhoto);
        employees.collectOrphans(Instant.now().minus(Duration.ofHours(1))); // for example daily

        EntityKey key = new EntityKey("Sales", "000223");
        Measured<Optional<Whole<Pictured>>> found = context.measure(() -> employees.find(key));
        boolean held =
                found.value().map(whole -> whole.content().toBytes().length).equals(Optional.of(1_500_000))
                        && container.listBlobs().stream().count() == 1;
        return ExampleResult.of("an employee with the photo", found, held);
    }
}
