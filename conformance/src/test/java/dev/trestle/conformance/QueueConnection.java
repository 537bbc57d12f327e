package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages of one queue over one connection, for tests that do much. An {@link IOException} means that nothing is
 * known of the last request's outcome.
 */
final class QueueConnection implements AutoCloseable {
    private static final Pattern MESSAGE = Pattern.compile("<QueueMessage>(.*?)</QueueMessage>", Pattern.DOTALL);
    private static final Pattern ELEMENT = Pattern.compile("<(\\w+)>([^<]*)</\\1>");

    private final RawConnection connection;
    private final String queue;

    QueueConnection(TrestleProcess server, String queue) throws IOException {
        this.connection = new RawConnection(server.queuePort());
        this.queue = queue;
    }

    /** A message as one response shows it; fields that it leaves out are empty or 0. */
    record Shown(String id, String receipt, int dequeueCount, String text) {}

    int create() throws IOException {
        return ask("PUT", "").status();
    }

    int delete() throws IOException {
        return ask("DELETE", "").status();
    }

    int clear() throws IOException {
        return ask("DELETE", "/messages").status();
    }

    /** How many messages the server says there are. */
    long count() throws IOException {
        RawResponse answer = ask("GET", "?comp=metadata");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return Long.parseLong(answer.header("x-ms-approximate-messages-count").orElseThrow());
    }

    /** Puts a message that lives for ever; the text has no markup. */
    Shown put(String text) throws IOException {
        return put(List.of(text)).get(0);
    }

    /** Puts several messages, pipelined. */
    List<Shown> put(List<String> texts) throws IOException {
        for (String text : texts) {
            String xml = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
            connection.send(RawRequest.ofQueue("POST", "/" + queue + "/messages?messagettl=-1")
                    .xml(xml)
                    .bytes());
        }
        List<Shown> put = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            RawResponse answer = connection.response();
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            put.addAll(messages(answer));
        }
        return put;
    }

    List<Shown> take(int messages, int hiddenSeconds) throws IOException {
        return shown("/messages?numofmessages=" + messages + "&visibilitytimeout=" + hiddenSeconds);
    }

    List<Shown> peek() throws IOException {
        return shown("/messages?peekonly=true&numofmessages=32");
    }

    private List<Shown> shown(String path) throws IOException {
        RawResponse answer = ask("GET", path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return messages(answer);
    }

    /** Gives a message back with another text, to be seen at once. */
    int release(String id, String receipt, String text) throws IOException {
        String xml = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
        return connection
                .exchange(RawRequest.ofQueue("PUT", path(id, receipt) + "&visibilitytimeout=0")
                        .xml(xml))
                .status();
    }

    int remove(String id, String receipt) throws IOException {
        return connection
                .exchange(RawRequest.ofQueue("DELETE", path(id, receipt)))
                .status();
    }

    private String path(String id, String receipt) {
        return "/" + queue + "/messages/" + id + "?popreceipt=" + receipt;
    }

    private RawResponse ask(String method, String path) throws IOException {
        return connection.exchange(RawRequest.ofQueue(method, "/" + queue + path));
    }

    private static List<Shown> messages(RawResponse answer) {
        List<Shown> messages = new ArrayList<>();
        Matcher message = MESSAGE.matcher(answer.body());
        while (message.find()) {
            String id = "";
            String receipt = "";
            String text = "";
            int dequeueCount = 0;
            Matcher element = ELEMENT.matcher(message.group(1));
            while (element.find()) {
                String value = element.group(2);
                switch (element.group(1)) {
                    case "MessageId" -> id = value;
                    case "PopReceipt" -> receipt = value;
                    case "DequeueCount" -> dequeueCount = Integer.parseInt(value);
                    case "MessageText" -> text = value;
                    default -> {}
                }
            }
            messages.add(new Shown(id, receipt, dequeueCount, text));
        }
        return messages;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
