package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeaderOrderTest {
    private final HeaderOrder order = new HeaderOrder();

    @Test
    void the_underscore_comes_first_and_hyphens_count_last() {
        List<String> sorted = List.of(
                "x-ms-date",
                "x-ms-meta-a",
                "x-ms-meta-a_b",
                "x-ms-meta-a1",
                "x-ms-metaab-",
                "x-ms-meta-ab",
                "x-ms-meta-a-b",
                "x-ms-meta-ab-c",
                "x-ms-meta-a-bc",
                "x-ms-meta-b",
                "x-ms-version");
        List<String> shuffled = new ArrayList<>(sorted);
        Random random = new Random(3);
        for (int i = 0; i < 50; i++) {
            Collections.shuffle(shuffled, random);

            assertThat(shuffled.stream().sorted(order)).containsExactlyElementsOf(sorted);
        }
    }

    @Test
    void it_is_a_total_order_of_names() {
        Random random = new Random(11);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            StringBuilder name = new StringBuilder();
            for (int length = random.nextInt(5); length >= 0; length--) {
                name.append("a-_1b'".charAt(random.nextInt(6)));
            }
            names.add(name.toString());
        }
        for (String a : names) {
            for (String b : names) {
                assertThat(Integer.signum(order.compare(a, b))).isEqualTo(-Integer.signum(order.compare(b, a)));
                assertThat(order.compare(a, b) == 0).as("%s %s", a, b).isEqualTo(a.equals(b));
                for (String c : names) {
                    if (order.compare(a, b) < 0 && order.compare(b, c) < 0 && order.compare(a, c) >= 0) {
                        throw new AssertionError(a + " < " + b + " < " + c);
                    }
                }
            }
        }
    }
}
