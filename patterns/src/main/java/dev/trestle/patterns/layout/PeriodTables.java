package dev.trestle.patterns.layout;

import com.azure.core.util.Context;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableItem;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityMapping;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The high volume delete pattern: one table per day or month, so that one request deletes all entities of the period. For example
 * logins that expire after sixty days.
 *
 * <pre>{@code
 * PeriodTables<Login> logins =
 *         PeriodTables.daily(service, context.named("logins"), EntityMapping.of(Login.class));
 *
 * logins.on(LocalDate.of(2014, 8, 20 + day)).insert(login);
 * }</pre>
 *
 * <p>Promise: {@link #dropBefore} deletes exactly the tables of earlier periods; after a crash, the next call continues. A dropped
 * table name is not reused, which services allow only after a delay, as long as no entities of dropped periods are written.
 * Thread-safe.
 */
public final class PeriodTables<T> {
    private static final int PAGE_SIZE = 1000;

    private final TableServiceClient service;
    private final String prefix;
    private final DateTimeFormatter period;
    private final EntityMapping<T> mapping;
    private final Map<String, EntityTable<T>> tables = new ConcurrentHashMap<>();

    private PeriodTables(
            TableServiceClient service, String prefix, DateTimeFormatter period, EntityMapping<T> mapping) {
        this.service = service;
        this.prefix = prefix;
        this.period = period;
        this.mapping = mapping;
    }

    /**
     * Returns one table per day, named by the prefix and the date as 20140822. The prefix consists of letters, and no other table
     * name may start with it.
     */
    public static <T> PeriodTables<T> daily(TableServiceClient service, String prefix, EntityMapping<T> mapping) {
        return new PeriodTables<>(service, prefix, DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT), mapping);
    }

    /** Returns one table per month, named by the prefix and the month as 201408. */
    public static <T> PeriodTables<T> monthly(TableServiceClient service, String prefix, EntityMapping<T> mapping) {
        return new PeriodTables<>(service, prefix, DateTimeFormatter.ofPattern("yyyyMM", Locale.ROOT), mapping);
    }

    /** Returns the table of a date for writing, and creates it on first use. */
    public EntityTable<T> on(LocalDate date) {
        String name = prefix + period.format(date);
        return tables.computeIfAbsent(name, missing -> table(missing).createIfMissing());
    }

    private EntityTable<T> table(String name) {
        return EntityTable.of(service.getTableClient(name), mapping);
    }

    /** Returns the existing tables of the periods from that of the first date to that of the last, oldest first. */
    public List<EntityTable<T>> between(LocalDate first, LocalDate last) {
        return names().stream()
                .filter(name -> name.compareTo(prefix + period.format(first)) >= 0)
                .filter(name -> name.compareTo(prefix + period.format(last)) <= 0)
                .map(this::table)
                .toList();
    }

    /** Drops the tables of all periods before that of a date; returns their names. */
    public List<String> dropBefore(LocalDate date) {
        String first = prefix + period.format(date);
        List<String> old =
                names().stream().filter(name -> name.compareTo(first) < 0).toList();
        for (String name : old) {
            service.deleteTable(name);
            tables.remove(name);
        }
        return old;
    }

    private List<String> names() {
        int length = prefix.length() + period.format(LocalDate.EPOCH).length();
        ListTablesOptions range = new ListTablesOptions()
                .setFilter("TableName ge '" + prefix + "0' and TableName lt '" + prefix + ":'")
                .setTop(PAGE_SIZE);
        return service.listTables(range, null, Context.NONE).stream()
                .map(TableItem::getName)
                .filter(name -> name.length() == length)
                .sorted()
                .toList();
    }
}
