package dev.trestle.keyspace;

import java.util.SplittableRandom;

/** Random strings of UTF-16 code units, most of them at the boundaries of encodings. */
final class RandomText {
    private static final String EDGES =
            "\u0000\u0001\u0002aab\u007F\u0080\u07FF\u0800\uD7FF\uD800\uDBFF\uDC00\uDFFF\uE000\uFFFE\uFFFF";

    private final SplittableRandom random;

    RandomText(long seed) {
        random = new SplittableRandom(seed);
    }

    String next() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(
                    random.nextInt(4) > 0
                            ? EDGES.charAt(random.nextInt(EDGES.length()))
                            : (char) random.nextInt(0x1_0000));
        }
        return text.toString();
    }
}
