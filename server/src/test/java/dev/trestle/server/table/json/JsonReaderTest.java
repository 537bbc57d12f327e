package dev.trestle.server.table.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.testkit.Gen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final JsonFactory REFERENCE = new JsonFactory();

    static LongStream seeds() {
        return Gen.seeds(10);
    }

    /** Names and values of the members of one object, or that it is none. */
    private static String members(byte[] json) {
        StringBuilder found = new StringBuilder();
        try {
            JsonReader reader = new JsonReader(json, 0, json.length);
            while (reader.next()) {
                found.append(text(reader)).append('=');
                JsonReader.Token token = reader.value();
                found.append(
                        switch (token) {
                            case TEXT -> "'" + text(reader) + "'";
                            case INTEGER, REAL -> text(reader);
                            case TRUE, FALSE, NULL -> token;
                        });
                found.append(';');
            }
            return found.toString();
        } catch (JsonReader.Malformed e) {
            return "malformed";
        }
    }

    private static String text(JsonReader reader) {
        return Cesu8.decode(reader.source(), reader.offset(), reader.length());
    }

    /** The same, by a parser that others wrote. */
    private static String expected(byte[] json) {
        StringBuilder found = new StringBuilder();
        try (JsonParser parser = REFERENCE.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return "malformed";
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                found.append(parser.currentName()).append('=');
                JsonToken token = parser.nextToken();
                if (token == null || token.isStructStart()) {
                    return "malformed";
                }
                found.append(
                        switch (token) {
                            case VALUE_STRING -> "'" + parser.getText() + "'";
                            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getText();
                            case VALUE_TRUE -> JsonReader.Token.TRUE;
                            case VALUE_FALSE -> JsonReader.Token.FALSE;
                            default -> JsonReader.Token.NULL;
                        });
                found.append(';');
            }
            boolean whole = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return whole ? found.toString() : "malformed";
        } catch (IOException e) {
            return "malformed";
        }
    }

    private static String document(SplittableRandom random, Gen gen) {
        String[] values = {
            "0",
            "-1",
            "12345678901234567890",
            "1.5",
            "-0.25e+3",
            "1E9",
            "true",
            "false",
            "null",
            "\"\"",
            "\"plain text\""
        };
        StringBuilder json = new StringBuilder("{");
        for (int i = random.nextInt(5); i > 0; i--) {
            String value = random.nextInt(3) > 0
                    ? values[random.nextInt(values.length)]
                    : new String(new WireBuffer(16).string(gen.keyText()).toBytes(), StandardCharsets.UTF_8);
            json.append(" \"name").append(i).append("\" :\t").append(value).append(i > 1 ? "," : "\r\n");
        }
        return json.append('}').toString();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void documents_are_read_as_others_read_them(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Gen gen = new Gen(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] json = document(random, gen).getBytes(StandardCharsets.UTF_8);
            assertThat(members(json))
                    .as("%s", new String(json, StandardCharsets.UTF_8))
                    .isEqualTo(expected(json))
                    .isNotEqualTo("malformed");
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_others_refuse_is_refused_and_nothing_else(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String alphabet = "{}[]\",:\\ntf-+.eE019 \t\u0001/u";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder json = new StringBuilder("{\"a\":\"b\\u0041\\n\",\"c\": -10.5e3 ,\"d\":true,\"e\":null}");
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(json.length());
                char other = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> json.setCharAt(at, other);
                    case 1 -> json.insert(at, other);
                    default -> json.deleteCharAt(at);
                }
            }
            byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
            assertThat(members(bytes)).as("%s", json).isEqualTo(expected(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C0 80",
                "C1 BF",
                "E0 80 80",
                "ED A0 80",
                "ED BF BF",
                "F4 90 80 80",
                "F5 80 80 80",
                "80",
                "C3",
                "E2 82"
            })
    void bytes_that_are_no_utf8_are_refused(String hex) {
        byte[] text = java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
        byte[] json = "{\"a\":\"????\"}".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, json, 6, text.length);
        assertThat(members(json)).isEqualTo("malformed");
    }

    @Test
    void what_is_skipped_may_be_nested_but_not_without_end() throws JsonReader.Malformed {
        byte[] json = "{\"a\":[{\"b\":[1,{}]},[]],\"c\":2}".getBytes(StandardCharsets.US_ASCII);
        JsonReader reader = new JsonReader(json, 0, json.length);
        assertThat(reader.next()).isTrue();
        reader.skip();
        assertThat(reader.next()).isTrue();
        assertThat(text(reader)).isEqualTo("c");
        reader.skip();
        assertThat(reader.next()).isFalse();
        byte[] deep = ("{\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.US_ASCII);
        JsonReader bottomless = new JsonReader(deep, 0, deep.length);
        assertThat(bottomless.next()).isTrue();
        assertThatThrownBy(bottomless::skip).isInstanceOf(JsonReader.Malformed.class);
    }

    /** Whether the first bytes are an object; its contents are skipped. */
    private static boolean isObject(byte[] json, int length) {
        try {
            JsonReader reader = new JsonReader(json, 0, length);
            while (reader.next()) {
                reader.skip();
            }
            return true;
        } catch (JsonReader.Malformed e) {
            return false;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void nothing_behind_the_end_is_read() {
        byte[] json = utf8("{ \"a\" : -12.5e+3 , \"b\\u00e9\" : \"x\\n\u00E9\uD83D\uDE00 a few words\" ,"
                + " \"c\" : [ 1 , { \"d\" : [ ] , \"e\" : { } , \"f\" : null } ] , \"g\" : true }");
        assertThat(isObject(json, json.length)).isTrue();
        for (int length = 0; length < json.length; length++) {
            assertThat(isObject(json, length)).as("%s bytes", length).isFalse();
        }
    }

    @Test
    void depth_and_numbers_have_a_limit() {
        for (int past = 0; past <= 1; past++) {
            byte[] deep = utf8("{\"a\":" + "[".repeat(16 + past) + "]".repeat(16 + past) + "}");
            assertThat(isObject(deep, deep.length)).isEqualTo(past == 0);
            byte[] number = utf8("{\"a\":" + "1".repeat(1024 + past) + "}");
            assertThat(isObject(number, number.length)).isEqualTo(past == 0);
        }
    }

    @Test
    void the_first_and_last_characters_of_each_length_are_read() {
        String text = "\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF\uD800\uDC00\uDBFF\uDFFF";
        assertThat(members(utf8("{\"a\":\"" + text + "\"}"))).isEqualTo("a='" + text + "';");
    }

    @Test
    void decimals_are_the_doubles_that_java_reads() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            String text = (random.nextBoolean() ? "-" : "")
                    + random.nextLong(1L << random.nextInt(1, 62))
                    + (random.nextBoolean() ? "." + random.nextLong(1L << random.nextInt(1, 62)) : "")
                    + (random.nextInt(4) == 0 ? "e" + random.nextInt(-320, 310) : "");
            byte[] bytes = ("x" + text).getBytes(StandardCharsets.US_ASCII);
            assertThat(Decimal.parse(bytes, 1, text.length())).as(text).isEqualTo(Double.parseDouble(text));
        }
    }
}
