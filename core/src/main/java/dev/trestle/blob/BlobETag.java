package dev.trestle.blob;

import dev.trestle.model.Ticks;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ETag of a blob or a container: when it was changed last, which no two changes of one share. */
public final class BlobETag {
    /** The service counts from the year 1, and so have ETags the look that people know. */
    private static final long YEAR_1601 = -Ticks.of(Instant.parse("0001-01-01T00:00:00Z"));

    private static final Pattern FORM = Pattern.compile("0x([0-9A-Fa-f]{1,15})");

    private BlobETag() {}

    /** Without the quotes that it has in headers. */
    public static String format(long modified) {
        return "0x" + Long.toHexString(modified + YEAR_1601).toUpperCase(Locale.ROOT);
    }

    /** Whether this may be an ETag of a blob: what looks like one must not be from before 1601. */
    public static boolean isPossible(String tag) {
        Matcher form = FORM.matcher(tag);
        return !form.matches() || Long.parseUnsignedLong(form.group(1), 16) - YEAR_1601 >= 0;
    }

    /** A moment for a change now that nobody can take for an earlier one. */
    static long next(long now, long before) {
        return Math.max(now, before + 1);
    }
}
