package dev.trestle.server.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.server.auth.Judge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParametersTest {

    @Test
    void names_and_values_are_decoded() {
        QueryParameters query = QueryParameters.parse("&%24filter=a+eq%20%27%C3%A9%2B'&flag&empty=&x==y");

        assertThat(query.find("$filter")).contains("a eq 'é+'");
        assertThat(query.find("flag")).contains("");
        assertThat(query.find("empty")).contains("");
        assertThat(query.find("x")).contains("=y");
        assertThat(query.has("other")).isFalse();
    }

    @Test
    void of_a_name_given_twice_the_first_counts() {
        assertThat(QueryParameters.parse("sp=r&sp=raud").find("sp")).contains("r");
    }

    @Test
    void all_of_them_can_be_gone_through_in_the_order_they_came() {
        List<String> pairs = new ArrayList<>();
        QueryParameters.parse("b=1&a=%32&b=3").forEach((name, value) -> pairs.add(name + value));

        assertThat(pairs).containsExactly("b1", "a2", "b3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%2", "a=%zz", "%ff=a", "a=%C3", "a=%ED%A0%80"})
    void what_is_not_percent_encoded_utf_8_is_the_callers_error(String text) {
        assertThat(Judge.refusalOf(() -> QueryParameters.parse(text)).error())
                .isEqualTo(StorageError.REQUEST_URL_FAILED_TO_PARSE);
    }
}
