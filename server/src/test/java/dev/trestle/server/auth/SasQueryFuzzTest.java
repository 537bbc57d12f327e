package dev.trestle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Service;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.QueryParameters;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whatever credentials come, the answer is a grant or a refusal. An input is a text: the Authorization header in its
 * first line, none if that is empty, and the query string in the rest. Each query is tried as it came and then with a
 * good signature, so that the checks behind the signature are reached too.
 */
class SasQueryFuzzTest {
    private final Judge judge = new Judge(Accounts.DEVELOPMENT, true, Optional.of(Tokens.VERIFIER))
            .policy(new AccessPolicy("p", OptionalLong.empty(), OptionalLong.of(Ticks.MAX), Optional.of("r")));

    @FuzzTest
    void any_credentials_are_granted_or_refused(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        String authorization = end < 0 ? "" : text.substring(0, end);
        String query = text.substring(end + 1).strip();

        for (Service service : Service.values()) {
            judge(Requests.to("/devstoreaccount1/orders").service(service).query(query), authorization);
            resigned(query).ifPresent(signed -> judge(Requests.with(signed).service(service), ""));
        }
        resigned(query).ifPresent(signed -> judge(Requests.with(signed.queue("orders")), ""));
        for (String path : List.of("orders", "orders/1")) {
            resigned(query).ifPresent(signed -> judge(Requests.with(signed.blob(path)), ""));
            resigned(query)
                    .ifPresent(signed -> judge(
                            Requests.with(signed.blob(path)
                                    .signedBy(Tokens.delegationKey().value())),
                            ""));
        }
    }

    private void judge(Requests request, String authorization) {
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization).header("x-ms-date", Requests.DATE);
        }
        try {
            Grant grant = judge.grant(request);
            assertThat(grant.scope()).isNotNull();
            grant.checkKey(new EntityKey("p", "r"));
            assertThat(grant.responseHeaders()).doesNotContainValue("");
            DeclaredPermission own = switch (request.build().service()) {
                case TABLE -> DeclaredPermission.QUERY_ENTITIES;
                case QUEUE -> DeclaredPermission.PEEK_MESSAGES;
                case BLOB -> DeclaredPermission.LIST_BLOBS;
            };
            grant.check(own.permission(), Optional.of("orders"));
        } catch (StorageException e) {
            assertThat(e.text()).doesNotContain(Requests.KEY);
        }
    }

    private static Optional<Sas> resigned(String query) {
        QueryParameters parameters;
        try {
            parameters = QueryParameters.parse(query);
        } catch (StorageException e) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        String names = "sv,tn,ss,srt,sp,st,se,si,sip,spr,spk,srk,epk,erk,ses,sr,snapshot,rscc,rscd,rsce,rscl,rsct,"
                + "srh,srq,sdd,skoid,sktid,skt,ske,sks,skv,saoid,suoid,scid,skdutid,sduoid";
        for (String field : names.split(",", -1)) {
            parameters.find(field).ifPresent(value -> fields.put(field, value));
        }
        Sas sas = new Sas();
        fields.forEach(sas::with);
        return Optional.of(sas);
    }
}
