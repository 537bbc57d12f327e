package dev.trestle.server.auth;

import java.util.Comparator;

/**
 * The order of header names in the culture that the service sorts them by: the underscore comes before digits and
 * letters, and hyphens count only between names that are otherwise the same. Names are compared in lower case.
 */
final class HeaderOrder implements Comparator<String> {
    /** What a header name can be made of, in this order; the two characters that are missing are the ignored ones. */
    private static final String CHARACTERS = "!#$%&*.^_`|~+0123456789abcdefghijklmnopqrstuvwxyz";

    private static final String IGNORED = "-'";

    @Override
    public int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (true) {
            i = skipIgnored(one, i);
            j = skipIgnored(other, j);
            if (i == one.length() || j == other.length()) {
                int left = Integer.compare(one.length() - i, other.length() - j);
                return left != 0 ? left : hyphensLast(one).compareTo(hyphensLast(other));
            }
            int order = Integer.compare(weight(one.charAt(i++)), weight(other.charAt(j++)));
            if (order != 0) {
                return order;
            }
        }
    }

    private static int skipIgnored(String name, int from) {
        int i = from;
        while (i < name.length() && IGNORED.indexOf(name.charAt(i)) >= 0) {
            i++;
        }
        return i;
    }

    private static int weight(char c) {
        int index = CHARACTERS.indexOf(c);
        return index < 0 ? CHARACTERS.length() + c : index;
    }

    private static String hyphensLast(String name) {
        return name.replace('-', Character.MAX_VALUE);
    }
}
