package dev.trestle.blob;

import dev.trestle.model.Ticks;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ETag of a blob or a container: the time of its last change, which is different for each change. */
public final class BlobETag {
    /** The service counts from the year 1; so ETags look as clients know them. */
    private static final long YEAR_1601 = -Ticks.of(Instant.parse("0001-01-01T00:00:00Z"));

    private static final Pattern FORM = Pattern.compile("0x([0-9A-Fa-f]{1,15})");

    private BlobETag() {}

    /** Formats an ETag without quotes. */
    public static String format(long modified) {
        return "0x" + Long.toHexString(modified + YEAR_1601).toUpperCase(Locale.ROOT);
    }

    /**
     * Returns whether a blob may have this ETag. A number before the year 1601 is invalid; other texts are legal.
     */
    public static boolean isPossible(String tag) {
        Matcher form = FORM.matcher(tag);
        return !form.matches() || Long.parseUnsignedLong(form.group(1), 16) - YEAR_1601 >= 0;
    }

    /** Returns a time for a change now that is later than the change before. */
    static long next(long now, long before) {
        return Math.max(now, before + 1);
    }
}
