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
 * The guide's high volume delete: a table for each day or month, so that all its entities are deleted by one request. For
 * example the logins of a day, which are of no use after sixty.
 *
 * <pre>{@code
 * PeriodTables<Login> logins =
 *         PeriodTables.daily(service, context.named("logins"), EntityMapping.of(Login.class));
 *
 * logins.on(LocalDate.of(2014, 8, 20 + day)).insert(login);
 * }</pre>
 *
 * <p>Promise: dropping what ended before a date deletes exactly the tables of earlier periods, whole, and no entity of a later
 * one; stopped in between, it goes on where it stopped. A table name is not used again after it is dropped, which services take a
 * while to allow, as long as nobody writes entities of dropped periods.
 */
public final class PeriodTables<T> {
    private static final int ITEMS_OF_A_PAGE = 1000;

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

    /** A table a day, named by the prefix and as 20140822. The prefix is letters, and no other table's name begins so. */
    public static <T> PeriodTables<T> daily(TableServiceClient service, String prefix, EntityMapping<T> mapping) {
        return new PeriodTables<>(service, prefix, DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT), mapping);
    }

    /** A table a month, named by the prefix and as 201408. */
    public static <T> PeriodTables<T> monthly(TableServiceClient service, String prefix, EntityMapping<T> mapping) {
        return new PeriodTables<>(service, prefix, DateTimeFormatter.ofPattern("yyyyMM", Locale.ROOT), mapping);
    }

    /** The table of a date, to be written to; created when it is first asked for. */
    public EntityTable<T> on(LocalDate date) {
        String name = prefix + period.format(date);
        return tables.computeIfAbsent(name, missing -> table(missing).createIfMissing());
    }

    private EntityTable<T> table(String name) {
        return EntityTable.of(service.getTableClient(name), mapping);
    }

    /** The tables that are there, of periods from that of the first date to that of the last, oldest first. */
    public List<EntityTable<T>> between(LocalDate first, LocalDate last) {
        return names().stream()
                .filter(name -> name.compareTo(prefix + period.format(first)) >= 0)
                .filter(name -> name.compareTo(prefix + period.format(last)) <= 0)
                .map(this::table)
                .toList();
    }

    /** Drops all tables of periods before that of a date; returns their names. */
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
                .setTop(ITEMS_OF_A_PAGE);
        return service.listTables(range, null, Context.NONE).stream()
                .map(TableItem::getName)
                .filter(name -> name.length() == length)
                .sorted()
                .toList();
    }
}
