package dev.trestle.patterns;

import static dev.trestle.patterns.query.Filters.rowKey;
import static dev.trestle.patterns.query.Filters.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import dev.trestle.launcher.DevelopmentAccount;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.access.KeyRange;
import dev.trestle.patterns.access.TableAccess;
import dev.trestle.patterns.access.TableAccess.Rights;
import dev.trestle.patterns.crypto.AesKeyEncryptionKey;
import dev.trestle.patterns.crypto.KeyResolver;
import dev.trestle.patterns.crypto.PropertyEncryption;
import dev.trestle.patterns.design.DeclaredQuery;
import dev.trestle.patterns.design.DesignAdvisor;
import dev.trestle.patterns.design.DesignReview;
import dev.trestle.patterns.entity.Encrypted;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.index.Copy;
import dev.trestle.patterns.index.IntraPartitionIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs the code of docs/patterns/README.md and of the Javadoc, and checks that both show only code that is run. */
@ExtendWith(WithTrestle.class)
class DocumentationIT {
    sealed interface Staff permits Employee, Department {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record Employee(String department, int id, String lastName, int age, Optional<String> email) implements Staff {}

    @PartitionKey("{department}")
    @RowKey("department")
    record Department(String department, int employeeCount) implements Staff {}

    @PartitionKey("{employee:000000}")
    @RowKey("{submitted:inverted}")
    record Expense(int employee, Instant submitted, long cents) {}

    record Name(int id, String lastName) {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record Payslip(String department, int id, @Encrypted String salary) {}

    private static final Path PAGE = Path.of("../docs/patterns/README.md");
    private static final Path THIS = Path.of("src/test/java/dev/trestle/patterns/DocumentationIT.java");
    private static final Path MAIN = Path.of("src/main/java/dev/trestle/patterns");
    private static final Path EXAMPLES = Path.of("../examples/src/main/java/dev/trestle/examples");

    private final ServerProcess server;
    private final TableClient client;
    private final EntityTable<Employee> employees;

    DocumentationIT(ServerProcess server) {
        this.server = server;
        client = WithTrestle.newTable(server);
        employees = EntityTable.of(client, Employee.class);
    }

    private static Employee jones() {
        return new Employee("Sales", 223, "Jones", 34, Optional.of("jonesj@contoso.com"));
    }

    @Test
    void entities() {
        EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
        employees.insert(new Employee("Sales", 223, "Jones", 34, Optional.of("jonesj@contoso.com")));

        Stored<Employee> jones = employees.find("Sales", "empid_000223").orElseThrow();

        assertThat(jones.value()).isEqualTo(jones());
    }

    @Test
    void several_types() {
        EntityTable<Staff> staff = EntityTable.of(client, Staff.class);
        staff.insert(new Department("Sales", 1));
        staff.insert(jones());

        List<Staff> all = staff.partition("Sales").list();

        assertThat(all).containsExactly(new Department("Sales", 1), jones());
    }

    @Test
    void newest_first() {
        EntityTable<Expense> expenses = EntityTable.of(client, Expense.class);
        Instant noon = Instant.parse("2014-08-22T12:00:00Z");
        IntStream.range(0, 20).forEach(i -> expenses.insert(new Expense(223, noon.plusSeconds(i), i)));

        List<Expense> latest =
                expenses.where(where(Expense::employee).eq(223)).limit(10).list();

        assertThat(latest.get(0).cents()).isEqualTo(19);
    }

    @Test
    void queries() {
        employees.insert(jones());

        Query<Employee> older = employees
                .where(where(Employee::department).eq("Sales").and(rowKey().startsWith("empid_")))
                .where(where(Employee::age).ge(30));
        List<Name> names = older.select(Name.class).limit(10).list();

        Page<Employee> page = older.pageSize(100).page();
        String token = page.next().map(PageToken::toString).orElse("the end");

        assertThat(names).containsExactly(new Name(223, "Jones"));
        assertThat(token).isEqualTo("the end");
        assertThatThrownBy(() -> employees.where(where(Employee::age).ge(30)).list())
                .isInstanceOf(TableScanException.class);
    }

    @Test
    void writes() {
        Stored<Employee> jones = employees.insert(jones());

        Employee older = new Employee("Sales", 223, "Jones", 35, Optional.empty());
        Stored<Employee> replaced = employees.replace(jones.with(older)); // fails if another writer was first
        employees.merge(replaced.key(), Delta.of(Employee.class).set(Employee::age, 36));
        employees.update(replaced.key(), e -> new Employee(e.department(), e.id(), "Smith", e.age(), e.email()));

        assertThat(employees.find(jones.key()).orElseThrow().value())
                .isEqualTo(new Employee("Sales", 223, "Smith", 36, Optional.empty()));
    }

    @Test
    void transactions() {
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        Stored<Department> sales = departments.insert(new Department("Sales", 0));

        employees.transact(List.of(
                employees.writes().insert(jones()),
                departments.writes().replace(sales.with(new Department("Sales", 1)))));

        assertThat(departments.find(sales.key()).orElseThrow().value().employeeCount())
                .isEqualTo(1);
    }

    @Test
    void bulk() {
        List<Write> writes = IntStream.range(0, 250)
                .mapToObj(id -> new Employee("Sales", id, "Jones", 30, Optional.empty()))
                .map(employees.writes()::upsert)
                .toList();

        BulkResult result = employees.bulk(writes, BulkOptions.standard().withParallelism(4));
        result.leftovers().forEach(left -> System.err.println(left.write().key() + ": " + left.reason()));

        assertThat(result.written()).isEqualTo(250);
    }

    @Test
    void reactive() {
        TableAsyncClient asyncClient = WithTrestle.async(server, client);

        AsyncEntityTable<Employee> reactive = AsyncEntityTable.of(asyncClient, Employee.class);
        Flux<Employee> inserted =
                reactive.insert(jones()).thenMany(reactive.partition("Sales").flux());

        assertThat(inserted.collectList().block()).isEqualTo(List.of(jones()));
    }

    @Test
    void patterns_without_waiting() {
        Copy<Employee, Employee> byName =
                Copy.of(EntityType.of(Employee.class).keyedBy("{department}", "name_{lastName}"));

        Async<IntraPartitionIndex<Employee>> index = Async.of(IntraPartitionIndex.of(employees, List.of(byName)));
        Mono<Stored<Employee>> found = index.run(it -> it.insert(jones()))
                .then(index.find(it -> it.find(byName, new EntityKey("Sales", "name_Jones"))));

        assertThat(found.map(Stored::value).block()).isEqualTo(jones());
    }

    @Test
    void encryption() {
        byte[] bytesOfThisYearsKey = new byte[32];
        byte[] bytesOfLastYearsKey = new byte[32];

        KeyResolver keys = KeyResolver.of(
                new AesKeyEncryptionKey("2014", bytesOfThisYearsKey), // writes and reads
                new AesKeyEncryptionKey("2013", bytesOfLastYearsKey)); // reads
        EntityTable<Payslip> payslips =
                EntityTable.of(client, EntityType.of(Payslip.class), PropertyEncryption.with(keys));
        payslips.insert(new Payslip("Sales", 223, "a lot"));

        assertThat(payslips.partition("Sales").list()).containsExactly(new Payslip("Sales", 223, "a lot"));
    }

    @Test
    void access() {
        String accountName = DevelopmentAccount.NAME;
        String accountKey = DevelopmentAccount.KEY;

        TableAccess access = TableAccess.to("expenses", new AzureNamedKeyCredential(accountName, accountKey));
        String sas = access.sign(
                KeyRange.partition("000223"), Rights.readOnly(), Instant.now().plus(Duration.ofHours(1)));

        assertThat(sas).contains("spk=000223&epk=000223");
    }

    @Test
    void advice() throws IOException {
        EntityMapping<Employee> employee = EntityMapping.of(Employee.class);

        DesignReview review = DesignAdvisor.review(
                List.of(employee),
                List.of(new DeclaredQuery(
                        "by name", employee, where(Employee::lastName).eq("?"))));
        System.out.println(review);

        assertThat(review.isSound()).isFalse();
        assertThat(Files.readString(PAGE)).contains("    " + review + "\n");
        assertThat(new EntityKey("Sales", "empid_000223")).isEqualTo(employee.key(jones()));
    }

    @Test
    void the_page_shows_only_what_is_run_here() throws IOException {
        String source = compact(Files.readString(THIS));
        Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        int count = 0;
        while (blocks.find()) {
            assertThat(source).contains(compact(blocks.group(1)));
            count++;
        }
        assertThat(count).isGreaterThan(10);
    }

    @Test
    void javadoc_shows_only_what_is_run_here_or_by_an_example() throws IOException {
        StringBuilder run = new StringBuilder(compact(Files.readString(THIS)));
        for (Path example : javaFiles(EXAMPLES)) {
            run.append(compact(Files.readString(example)));
        }
        for (Path file : javaFiles(MAIN)) {
            Matcher snippets = Pattern.compile("<pre>\\{@code\n(.*?)\\}</pre>", Pattern.DOTALL)
                    .matcher(Files.readString(file));
            while (snippets.find()) {
                String code = snippets.group(1).replaceAll("(?m)^ +\\* ?", "");
                for (String paragraph : code.split("\n\n", -1)) {
                    assertThat(run.toString()).as(file.toString()).contains(compact(paragraph));
                }
            }
        }
    }

    @Test
    void every_pattern_shows_in_its_javadoc_how_it_is_used() throws IOException {
        for (String folder : List.of("index", "layout", "outbox")) {
            for (Path file : javaFiles(MAIN.resolve(folder))) {
                String source = Files.readString(file);
                if (Pattern.compile("(?m)^ \\* <p>Promise:").matcher(source).find()) {
                    assertThat(source).as(file.toString()).contains("<pre>{@code\n");
                }
            }
        }
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** Removes white space, because pages may wrap lines differently. */
    private static String compact(String text) {
        return text.replaceAll("\\s+", "");
    }
}
