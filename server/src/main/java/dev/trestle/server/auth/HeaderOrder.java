package dev.trestle.server.auth;

import java.util.Comparator;

/**
 * The culture-sensitive order in which the service sorts header names. The underscore precedes digits and letters,
 * and hyphens count only between names that are otherwise equal. Names are compared in lower case.
 */
final class HeaderOrder implements Comparator<String> {
    /** The characters of header names in this order, without the two that are ignored. */
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
