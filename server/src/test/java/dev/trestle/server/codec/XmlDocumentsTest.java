package dev.trestle.server.codec;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.CorsRule;
import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.catalogue.ServiceProperties.Retention;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlDocumentsTest {
    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private static List<AccessPolicy> acl(String xml) {
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        return AclXml.read(bytes, 0, bytes.length, "raud");
    }

    private static ServiceProperties properties(String xml) {
        return properties(ServiceProperties.DEFAULT, xml);
    }

    private static ServiceProperties properties(ServiceProperties before, String sections) {
        byte[] bytes = ("<StorageServiceProperties>" + sections + "</StorageServiceProperties>")
                .getBytes(StandardCharsets.UTF_8);
        return ServicePropertiesXml.read(before, bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String identifier(String id, String policy) {
        return "<SignedIdentifier><Id>" + id + "</Id>" + policy + "</SignedIdentifier>";
    }

    // Stored access policies.

    @Test
    void policies_are_read_with_whatever_they_give() {
        List<AccessPolicy> policies = acl("""
                <?xml version="1.0" encoding="utf-8"?>
                <SignedIdentifiers>
                  <SignedIdentifier><Id>full</Id><AccessPolicy><Start>2026-01-01</Start>
                    <Expiry>2026-02-01T00:00:00.0000000Z</Expiry><Permission>raud</Permission></AccessPolicy></SignedIdentifier>
                  <SignedIdentifier><Id>id</Id></SignedIdentifier>
                  <SignedIdentifier><AccessPolicy><Permission></Permission><Expiry/></AccessPolicy><Id>&lt;&#233;&gt;</Id></SignedIdentifier>
                </SignedIdentifiers>""");
        assertThat(policies)
                .containsExactly(
                        new AccessPolicy(
                                "full", Ticks.parse("2026-01-01"), Ticks.parse("2026-02-01"), Optional.of("raud")),
                        new AccessPolicy("id", OptionalLong.empty(), OptionalLong.empty(), Optional.empty()),
                        new AccessPolicy("<\u00E9>", OptionalLong.empty(), OptionalLong.empty(), Optional.empty()));
    }

    @Test
    void policies_are_written_with_seven_digits_and_without_what_is_blank() {
        assertThat(text(AclXml.write(List.of(
                        new AccessPolicy("a&b", Ticks.parse("2026-01-01"), OptionalLong.empty(), Optional.of("r")),
                        new AccessPolicy("blank", OptionalLong.empty(), OptionalLong.empty(), Optional.empty())))))
                .isEqualTo(HEAD + "<SignedIdentifiers><SignedIdentifier><Id>a&amp;b</Id><AccessPolicy>"
                        + "<Start>2026-01-01T00:00:00.0000000Z</Start><Permission>r</Permission></AccessPolicy>"
                        + "</SignedIdentifier><SignedIdentifier><Id>blank</Id></SignedIdentifier></SignedIdentifiers>");
        assertThat(text(AclXml.write(List.of()))).isEqualTo(HEAD + "<SignedIdentifiers />");
    }

    @Test
    void what_is_written_is_read_again() {
        List<AccessPolicy> policies = List.of(
                new AccessPolicy("a", OptionalLong.of(0), OptionalLong.of(Ticks.MAX), Optional.of("ra")),
                new AccessPolicy("<b>&\u00E9", OptionalLong.empty(), OptionalLong.of(5), Optional.empty()));
        assertThat(acl(text(AclXml.write(policies)))).isEqualTo(policies);
        assertThat(acl("")).isEmpty();
        assertThat(acl("<SignedIdentifiers />")).isEmpty();
    }

    @Test
    void five_policies_of_64_characters_are_the_most() {
        String five = "<SignedIdentifiers>%s</SignedIdentifiers>"
                .formatted(
                        identifier("a", "") + identifier("b", "") + identifier("c", "") + identifier("d", "") + "%s");
        assertThat(acl(five.formatted(identifier("e".repeat(64), "")))).hasSize(5);
        assertInvalid(five.formatted(identifier("e", "") + identifier("f", "")));
        assertInvalid(five.formatted(identifier("e".repeat(65), "")));
        assertInvalid(five.formatted(identifier("", "")));
        assertInvalid(five.formatted(identifier("a", "")));
        assertInvalid(five.formatted(identifier("e", "<AccessPolicy><Permission>x</Permission></AccessPolicy>")));
        assertInvalid(five.formatted(identifier("e", "<AccessPolicy><Start>soon</Start></AccessPolicy>")));
        assertInvalid(five.formatted(identifier("e", "<AccessPolicy><Start>1600-01-01</Start></AccessPolicy>")));
        assertInvalid(five.formatted("<Other><Id>e</Id></Other>"));
        assertInvalid(five.formatted("<SignedIdentifier/>"));
    }

    private static void assertInvalid(String xml) {
        assertThat(errorOf(() -> acl(xml))).as(xml).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "x",
                "<a",
                "<SignedIdentifiers>",
                "<SignedIdentifiers></Other>",
                "<Other/>",
                "<SignedIdentifiers/><x/>",
                "<SignedIdentifiers/>x",
                "<SignedIdentifiers>&undefined;</SignedIdentifiers>",
                "<!DOCTYPE SignedIdentifiers><SignedIdentifiers/>",
                "<!DOCTYPE a [<!ENTITY x \"y\">]><SignedIdentifiers>&x;</SignedIdentifiers>",
                "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><SignedIdentifiers/>",
                "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><SignedIdentifiers>&x;</SignedIdentifiers>",
                "<?xml version=\"1.0\" encoding=\"nonsense\"?><SignedIdentifiers/>",
                "<SignedIdentifiers>\u0001</SignedIdentifiers>",
                "<x:SignedIdentifiers/>"
            })
    void what_is_no_plain_document_is_refused(String xml) {
        assertInvalid(xml);
    }

    @Test
    void a_bomb_of_entities_is_refused_soon() {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE a [<!ENTITY x0 \"ha\">");
        for (int i = 1; i < 40; i++) {
            bomb.append("<!ENTITY x")
                    .append(i)
                    .append(" \"&x")
                    .append(i - 1)
                    .append(";&x")
                    .append(i - 1)
                    .append(";\">");
        }
        bomb.append("]><SignedIdentifiers>&x39;</SignedIdentifiers>");
        assertRefusedSoon(bomb.toString());
    }

    @Test
    void depth_and_number_of_elements_are_bounded() {
        assertRefusedSoon("<SignedIdentifiers>" + "<a>".repeat(100_000));
        assertRefusedSoon("<SignedIdentifiers>" + "<a/>".repeat(500_000) + "</SignedIdentifiers>");
        assertRefusedSoon("<SignedIdentifiers " + "a='b' ".repeat(100_000) + "/>");
        StringBuilder attributes = new StringBuilder("<SignedIdentifiers ");
        for (int i = 0; i < 100_000; i++) {
            attributes.append('a').append(i).append("='' ");
        }
        assertRefusedSoon(attributes + "/>");
        assertRefusedSoon("<SignedIdentifiers>" + "<![CDATA[x]]>y".repeat(200_000) + "<a>");
        assertRefusedSoon("<SignedIdentifiers>" + "&#65;".repeat(500_000) + "<a>");
        assertRefusedSoon("<!-- -->".repeat(200_000));
    }

    private static void assertRefusedSoon(String xml) {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertInvalid(xml));
    }

    // Service properties.

    private static final String LOGGING = "<Logging><Version>1.0</Version><Delete>true</Delete><Read>false</Read>"
            + "<Write>true</Write><RetentionPolicy><Enabled>true</Enabled><Days>5</Days></RetentionPolicy></Logging>";

    private static String metrics(String name, String inside) {
        return "<" + name + "><Version>1.0</Version>" + inside + "</" + name + ">";
    }

    private static String rule(String origins, String methods, String allowed, String exposed, String age) {
        return "<CorsRule><AllowedOrigins>" + origins + "</AllowedOrigins><AllowedMethods>" + methods
                + "</AllowedMethods><AllowedHeaders>" + allowed + "</AllowedHeaders><ExposedHeaders>" + exposed
                + "</ExposedHeaders><MaxAgeInSeconds>" + age + "</MaxAgeInSeconds></CorsRule>";
    }

    private static void assertInvalidProperties(String sections) {
        assertThat(errorOf(() -> properties(sections))).as(sections).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @Test
    void a_new_account_has_everything_off() {
        String off =
                "<Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
        assertThat(text(ServicePropertiesXml.write(ServiceProperties.DEFAULT)))
                .isEqualTo(HEAD + "<StorageServiceProperties><Logging><Version>1.0</Version><Read>false</Read>"
                        + "<Write>false</Write><Delete>false</Delete><RetentionPolicy><Enabled>false</Enabled>"
                        + "</RetentionPolicy></Logging><HourMetrics>" + off + "</HourMetrics><MinuteMetrics>" + off
                        + "</MinuteMetrics><Cors /></StorageServiceProperties>");
    }

    @Test
    void a_section_replaces_itself_and_one_left_out_stays() {
        ServiceProperties logged = properties(LOGGING);
        assertThat(logged)
                .isEqualTo(ServiceProperties.DEFAULT.withLogging(
                        new Logging("1.0", false, true, true, new Retention(Optional.of(5)))));
        ServiceProperties measured = properties(
                logged,
                metrics(
                        "MinuteMetrics",
                        "<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>"
                                + "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>"));
        assertThat(measured)
                .isEqualTo(logged.withMinuteMetrics(new Metrics("1.0", true, Optional.of(true), Retention.OFF)));
        ServiceProperties shared = properties(measured, "<Cors>" + rule("*", "GET, PUT", "", "x-*", "60") + "</Cors>");
        assertThat(shared.cors())
                .containsExactly(new CorsRule(List.of("*"), List.of("GET", "PUT"), List.of(), List.of("x-*"), 60));
        assertThat(shared.logging()).isEqualTo(logged.logging());
        assertThat(properties(shared, "<Cors/>").cors()).isEmpty();
    }

    @Test
    void properties_written_are_read_again() {
        ServiceProperties all = new ServiceProperties(
                new Logging("1.0", true, false, true, new Retention(Optional.of(365))),
                new Metrics("1.0", true, Optional.of(false), new Retention(Optional.of(1))),
                Metrics.OFF,
                List.of(
                        new CorsRule(
                                List.of("http://a.example", "https://*.b"),
                                List.of("GET"),
                                List.of("x-ms-*"),
                                List.of(),
                                0),
                        new CorsRule(List.of("*"), List.of("PUT", "MERGE"), List.of("*"), List.of("a", "b"), 5)));
        byte[] xml = ServicePropertiesXml.write(all);
        assertThat(ServicePropertiesXml.read(ServiceProperties.DEFAULT, xml, 0, xml.length))
                .isEqualTo(all);
    }

    @Test
    void analytics_have_their_limits() {
        String retention = "<RetentionPolicy><Enabled>%s</Enabled>%s</RetentionPolicy>";
        String enabled = "<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>";
        assertThat(properties(metrics("HourMetrics", enabled + retention.formatted("true", "<Days>365</Days>")))
                        .hourMetrics()
                        .retention()
                        .days())
                .contains(365);
        for (String bad : List.of(
                retention.formatted("true", "<Days>366</Days>"),
                retention.formatted("true", "<Days>0</Days>"),
                retention.formatted("true", ""),
                retention.formatted("false", "<Days>5</Days>"),
                retention.formatted("maybe", ""),
                retention.formatted("true", "<Days>x</Days>"),
                "")) {
            assertInvalidProperties(metrics("HourMetrics", enabled + bad));
        }
        String off = retention.formatted("false", "");
        assertInvalidProperties(
                metrics("HourMetrics", "<Enabled>false</Enabled><IncludeAPIs>true</IncludeAPIs>" + off));
        assertInvalidProperties(LOGGING.replace("1.0", "2.0"));
        assertInvalidProperties(LOGGING.replace("<Read>false</Read>", ""));
        assertInvalidProperties("<Unknown/>");
    }

    @Test
    void cross_origin_rules_have_their_limits() {
        String fine = rule("http://a", "GET", "x", "y", "1");
        assertThat(properties("<Cors>" + fine.repeat(5) + "</Cors>").cors()).hasSize(5);
        assertInvalidProperties("<Cors>" + fine.repeat(6) + "</Cors>");
        String many = "h,".repeat(63) + "h";
        for (String bad : List.of(
                rule("", "GET", "", "", "1"),
                rule("*", "", "", "", "1"),
                rule("*", "GUESS", "", "", "1"),
                rule("*", "GET,", "", "", "1"),
                rule("*", "GET", "a-*,b-*,c-*", "", "1"),
                rule("*", "GET", many + ",h", "", "1"),
                rule("*", "GET", "", many + ",h", "1"),
                rule(many + ",h", "GET", "", "", "1"),
                rule("o".repeat(257), "GET", "", "", "1"),
                rule("*", "GET", "", "", "-1"),
                rule("*", "GET", "", "", ""),
                rule("*", "GET", "", "", "99999999999"),
                "<CorsRule><AllowedOrigins>*</AllowedOrigins></CorsRule>",
                "<Rule/>",
                rule("*", "GET", ("x".repeat(256) + ",").repeat(7) + "x".repeat(256), "", "1"))) {
            assertInvalidProperties("<Cors>" + bad + "</Cors>");
        }
        assertThat(properties("<Cors>" + rule(many, "GET", many + ",a-*,b-*", many, "1") + "</Cors>")
                        .cors())
                .hasSize(1);
    }
}
