package dev.trestle.server.queue;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.Page;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueInfo;
import dev.trestle.queue.Receipt;
import dev.trestle.server.queue.QueueXml.MessageView;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueXmlTest {
    private static final String HEAD = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    private static final String ID = "5974b586-0df3-4e2d-ad0c-18e3892bfca2";
    private static final Receipt RECEIPT = new Receipt(1, 2, 3);

    private static String read(String document) {
        return read(document, StandardCharsets.UTF_8);
    }

    private static String read(String document, Charset encoding) {
        byte[] bytes = document.getBytes(encoding);
        return QueueXml.readText(bytes, 0, bytes.length);
    }

    private static String readWithin(String inside) {
        return read("<QueueMessage><MessageText>" + inside + "</MessageText></QueueMessage>");
    }

    private static Message message(String text) {
        return new Message(
                UUID.fromString(ID),
                Ticks.parse("2026-07-31T18:00:00Z").orElseThrow(),
                Ticks.MAX,
                Ticks.parse("2026-07-31T18:00:30.9Z").orElseThrow(),
                RECEIPT,
                4,
                text);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void a_text_is_read_as_it_was_meant() {
        assertThat(readWithin("a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;")).isEqualTo("a <b> & \"c\" 'd'");
        assertThat(readWithin("")).isEmpty();
        assertThat(readWithin(" \t\n ")).isEqualTo(" \t\n ");
        assertThat(readWithin("a&#xD;&#13;&#10;\r\n\r")).isEqualTo("a\r\r\n\n\n");
        assertThat(readWithin("<![CDATA[<b>]]> ]] &#x1F600;")).isEqualTo("<b> ]] \uD83D\uDE00");
        assertThat(readWithin("one<!-- two --><?three?> <b>four<i> five</i></b>"))
                .isEqualTo("one four five");
    }

    @Test
    void only_the_element_for_it_has_the_text() {
        assertThat(
                        read(
                                "\n<!-- c --><QueueMessage a='b'> x <Other>y</Other><MessageText>z</MessageText> w </QueueMessage>\n"))
                .isEqualTo("z");
        assertThat(read("<QueueMessage><MessageText/></QueueMessage>")).isEmpty();
    }

    @Test
    void a_document_says_its_encoding() {
        String body = "<QueueMessage><MessageText>\u00E9</MessageText></QueueMessage>";
        assertThat(read("\uFEFF" + body)).isEqualTo("\u00E9");
        assertThat(read("\uFEFF" + body, StandardCharsets.UTF_16LE)).isEqualTo("\u00E9");
        assertThat(read("<?xml version='1.0' encoding='ISO-8859-1'?>" + body, StandardCharsets.ISO_8859_1))
                .isEqualTo("\u00E9");
        assertThat(errorOf(() -> read(body, StandardCharsets.ISO_8859_1))).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "text",
                "{}",
                "<QueueMessage/>",
                "<QueueMessage>text</QueueMessage>",
                "<queuemessage><MessageText>x</MessageText></queuemessage>",
                "<QueueMessage><messagetext>x</messagetext></QueueMessage>",
                "<MessageText>x</MessageText>",
                "<QueueMessage><MessageText>x</QueueMessage>",
                "<QueueMessage><MessageText>x</MessageText>",
                "<QueueMessage><MessageText>x</MessageText></QueueMessage><more/>",
                "<QueueMessage><MessageText>&nbsp;</MessageText></QueueMessage>",
                "<QueueMessage><MessageText>&#1;</MessageText></QueueMessage>",
                "<QueueMessage><MessageText>\u0001</MessageText></QueueMessage>",
                "<QueueMessage><MessageText>&#xFFFE;</MessageText></QueueMessage>",
                "<QueueMessage><MessageText>&#xD83D;&#xDE00;</MessageText></QueueMessage>",
                "<?xml version='1.1'?><QueueMessage><MessageText>&#1;</MessageText></QueueMessage>",
                "<!DOCTYPE QueueMessage><QueueMessage><MessageText>x</MessageText></QueueMessage>",
                "<!DOCTYPE q [<!ENTITY e \"x\">]><QueueMessage><MessageText>&e;</MessageText></QueueMessage>",
                "<!DOCTYPE q [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><QueueMessage><MessageText>&e;</MessageText></QueueMessage>",
            })
    void what_is_no_message_is_refused(String document) {
        assertThat(errorOf(() -> read(document))).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
    }

    @Test
    void as_much_markup_as_fits_is_read() {
        assertThat(readWithin("&amp;".repeat(26_000))).isEqualTo("&".repeat(26_000));
        assertThat(readWithin("&#xD;".repeat(26_000))).isEqualTo("\r".repeat(26_000));
        assertThat(readWithin("<b/>x".repeat(26_000))).isEqualTo("x".repeat(26_000));
    }

    @Test
    void depth_is_bounded() {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(errorOf(() -> readWithin("<a>".repeat(30_000)))).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
            assertThat(errorOf(() -> readWithin("<a>".repeat(100) + "</a>".repeat(100))))
                    .isEqualTo(StorageError.INVALID_XML_DOCUMENT);
        });
        assertThat(readWithin("<a>".repeat(10) + "x" + "</a>".repeat(10))).isEqualTo("x");
    }

    @Test
    void each_sees_of_a_message_what_is_for_them() {
        String times = "<QueueMessage><MessageId>" + ID + "</MessageId><InsertionTime>Fri, 31 Jul 2026 18:00:00 GMT"
                + "</InsertionTime><ExpirationTime>Fri, 31 Dec 9999 23:59:59 GMT</ExpirationTime>";
        String receipt = "<PopReceipt>" + RECEIPT
                + "</PopReceipt><TimeNextVisible>Fri, 31 Jul 2026 18:00:30 GMT</TimeNextVisible>";
        String content = "<DequeueCount>4</DequeueCount><MessageText> &lt;x&gt;&#xD;\n</MessageText>";
        String open = HEAD + "<QueueMessagesList>";
        String close = "</QueueMessage></QueueMessagesList>";
        List<Message> messages = List.of(message(" <x>\r\n"));
        assertThat(text(QueueXml.messages(messages, MessageView.PUT))).isEqualTo(open + times + receipt + close);
        assertThat(text(QueueXml.messages(messages, MessageView.RECEIVED)))
                .isEqualTo(open + times + receipt + content + close);
        assertThat(text(QueueXml.messages(messages, MessageView.PEEKED))).isEqualTo(open + times + content + close);
        assertThat(text(QueueXml.messages(List.of(), MessageView.RECEIVED))).isEqualTo(HEAD + "<QueueMessagesList />");
    }

    @Test
    void a_page_of_queues_has_its_metadata_where_asked_for() {
        Page<QueueInfo, String> page = new Page<>(
                List.of(
                        new QueueInfo(new QueueName("jobs"), List.of(), Map.of("b", "1", "Owner", "<hr>")),
                        new QueueInfo(new QueueName("more"), List.of(), Map.of())),
                Optional.of("next"));
        String head = HEAD + "<EnumerationResults ServiceEndpoint=\"http://h/a&amp;b/\"><Prefix>jo</Prefix>"
                + "<Marker>/a/jobs</Marker><MaxResults>2</MaxResults><Queues>";
        String tail = "</Queues><NextMarker>/a/next</NextMarker></EnumerationResults>";
        assertThat(text(QueueXml.queues(
                        "http://h/a&b/",
                        Optional.of("jo"),
                        Optional.of("/a/jobs"),
                        Optional.of(2),
                        false,
                        page,
                        "/a/next")))
                .isEqualTo(head + "<Queue><Name>jobs</Name></Queue><Queue><Name>more</Name></Queue>" + tail);
        assertThat(text(QueueXml.queues(
                        "http://h/a&b/",
                        Optional.of("jo"),
                        Optional.of("/a/jobs"),
                        Optional.of(2),
                        true,
                        page,
                        "/a/next")))
                .isEqualTo(
                        head + "<Queue><Name>jobs</Name><Metadata><Owner>&lt;hr&gt;</Owner><b>1</b></Metadata></Queue>"
                                + "<Queue><Name>more</Name><Metadata /></Queue>" + tail);
    }

    @Test
    void a_page_without_queues_says_so_and_repeats_nothing_that_was_not_asked_for() {
        assertThat(text(QueueXml.queues(
                        "http://h/",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        new Page<>(List.of(), Optional.empty()),
                        "")))
                .isEqualTo(HEAD + "<EnumerationResults ServiceEndpoint=\"http://h/\">"
                        + "<Queues /><NextMarker /></EnumerationResults>");
    }
}
