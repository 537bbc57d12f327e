package dev.trestle.server.blob;

import dev.trestle.blob.BlobService.Range;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.Request;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A byte range of a read: from a position to the end or to another position. Malformed headers are ignored, as
 * clients expect of the service.
 */
record RangeHeader(long first, OptionalLong last) {
    /** Positions with more digits would overflow a long. */
    private static final Pattern FORM = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{0,18})");

    static Optional<RangeHeader> of(Request request) {
        return request.header("x-ms-range").or(() -> request.header("Range")).flatMap(RangeHeader::parse);
    }

    static Optional<RangeHeader> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        long first = Long.parseLong(form.group(1));
        if (form.group(2).isEmpty()) {
            return Optional.of(new RangeHeader(first, OptionalLong.empty()));
        }
        long last = Long.parseLong(form.group(2));
        return last < first ? Optional.empty() : Optional.of(new RangeHeader(first, OptionalLong.of(last)));
    }

    /** Returns the part of the range within a blob of this length. */
    Range of(long length) {
        if (first >= length) {
            throw new StorageException(StorageError.INVALID_RANGE).withHeader("Content-Range", "bytes */" + length);
        }
        long end = last.isPresent() ? Math.min(length, last.getAsLong() + 1) : length;
        return new Range(first, end - first);
    }
}
