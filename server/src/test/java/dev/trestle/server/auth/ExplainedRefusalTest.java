package dev.trestle.server.auth;

import static dev.trestle.server.auth.Requests.DATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplainedRefusalTest {
    private final Judge judge = new Judge(Accounts.DEVELOPMENT, true);
    private final Judge silent = new Judge();

    @Test
    void a_wrong_signature_is_answered_with_the_string_that_was_signed() {
        Requests request = Requests.to("/devstoreaccount1/Tables")
                .header("x-ms-date", DATE)
                .header("Authorization", "SharedKey devstoreaccount1:AAAA");
        String text = judge.refusal(request).text();

        assertThat(text)
                .startsWith(StorageError.AUTHENTICATION_FAILED.message())
                .endsWith("the server signed \"GET\\n\\n\\n" + DATE + "\\n/devstoreaccount1/devstoreaccount1/Tables\".")
                .doesNotContain(
                        Requests.KEY,
                        Requests.sign(
                                Requests.KEY, "GET\n\n\n" + DATE + "\n/devstoreaccount1/devstoreaccount1/Tables"));
        assertThat(silent.refusal(request).text()).isEqualTo(StorageError.AUTHENTICATION_FAILED.message());
    }

    @Test
    void every_form_that_was_tried_is_shown() {
        Requests request = Requests.with(Sas.account().with("sv", "2020-12-06").signedBy(Requests.OTHER_KEY));

        assertThat(judge.refusal(request).text())
                .contains("2020-12-06\\n\\n\" or \"devstoreaccount1\\nrwdlacup\\nt\\nsco\\n")
                .endsWith("2020-12-06\\n\".");
    }

    @Test
    void characters_that_an_answer_cannot_carry_are_escaped() {
        Requests request =
                Requests.with(Sas.table("orders").with("spk", "\u0001é").signedBy(Requests.OTHER_KEY));

        assertThat(judge.refusal(request).text()).contains("\\u0001\\u00e9");
    }

    @Test
    void each_other_refusal_says_which_check_failed() {
        Grant grant =
                judge.grant(Requests.with(Sas.table("orders").with("sp", "r").with("spk", "m")));
        Optional<String> orders = Optional.of("orders");
        List<StorageException> refusals = List.of(
                judge.refusal(Requests.with(Sas.account().with("se", "2026-01-01"))),
                judge.refusal(Requests.with(Sas.account().with("sip", "10.0.0.1"))),
                judge.refusal(Requests.with(Sas.account().with("spr", "https"))),
                judge.refusal(Requests.with(Sas.account().with("ss", "b"))),
                Judge.refusalOf(() -> grant.check(DeclaredPermission.INSERT_ENTITY.permission(), orders)),
                Judge.refusalOf(() -> grant.check(DeclaredPermission.CREATE_TABLE.permission(), orders)),
                Judge.refusalOf(() -> grant.checkKey(new EntityKey("a", ""))));

        assertThat(refusals)
                .extracting(refusal ->
                        refusal.text().substring(refusal.error().message().length() + 1))
                .containsExactly(
                        "The signature expired before 2026-03-02T10:00:00Z.",
                        "The request comes from 127.0.0.1.",
                        "The signature is for https only.",
                        "The field ss does not have 't'.",
                        "INSERT_ENTITY needs sp to have a.",
                        "No SAS over a single table can grant CREATE_TABLE.",
                        "The entity's keys are outside the range of spk, srk, epk and erk.");
    }

    @Test
    void a_date_that_is_off_is_shown_beside_the_servers() {
        Requests request = Requests.to("/devstoreaccount1/Tables")
                .header("x-ms-date", DATE)
                .sharedKeyLite(DATE + "\n/devstoreaccount1/devstoreaccount1/Tables");

        assertThat(judge.at("2026-03-02T10:20:00Z").refusal(request).text())
                .contains("2026-03-02T10:00:00Z")
                .contains("2026-03-02T10:20:00Z");
    }
}
