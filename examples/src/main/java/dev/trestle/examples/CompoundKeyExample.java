package dev.trestle.examples;

import static dev.trestle.patterns.query.Filters.rowKey;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.List;

/** Stores an employee's yearly reviews next to the employee. */
final class CompoundKeyExample implements Example {
    @PartitionKey("{department}")
    @RowKey("empid_{employee:000000}_{year:0000}")
    record Review(String department, int employee, int year, int managerRating, String comments) {}

    @Override
    public String name() {
        return "compound-key";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("staff");
        EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
        EntityTable<Review> reviews = EntityTable.of(client, Review.class);

        employees.transact(List.of(
                employees.writes().insert(Employee.of("Sales", 123, "Jones")),
                reviews.writes().insert(new Review("Sales", 123, 2012, 4, "good")),
                reviews.writes().insert(new Review("Sales", 123, 2013, 5, "better"))));
        reviews.insert(new Review("Sales", 124, 2013, 3, "new"));

        EntityType<Review> review = EntityType.of(Review.class);
        Measured<List<Review>> found = context.measure(() -> reviews.partition("Sales")
                .where(rowKey().startsWith(review.rowKeyPrefix(123)))
                .list());
        boolean held = found.value().stream().map(Review::year).toList().equals(List.of(2012, 2013));
        return ExampleResult.of("all reviews of one employee", found, held);
    }
}
