package dev.trestle.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.queue.Message;
import dev.trestle.queue.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The body of a message is refused, or its text survives a round trip. */
class MessageXmlFuzzTest {
    @FuzzTest
    void any_body_is_a_text_or_refused(byte[] input) {
        String text;
        try {
            text = QueueXml.readText(input, 0, input.length);
        } catch (StorageException e) {
            assertThat(e.error()).isEqualTo(StorageError.INVALID_XML_DOCUMENT);
            return;
        }
        Message message = new Message(new UUID(1, 2), 0, 0, 0, new Receipt(0, 0, 0), 1, text);
        for (QueueXml.MessageView shown : List.of(QueueXml.MessageView.RECEIVED, QueueXml.MessageView.PEEKED)) {
            String answer = new String(QueueXml.messages(List.of(message), shown), StandardCharsets.UTF_8);
            byte[] again = answer.substring(answer.indexOf("<QueueMessage>"), answer.indexOf("</QueueMessagesList>"))
                    .getBytes(StandardCharsets.UTF_8);
            assertThat(QueueXml.readText(again, 0, again.length)).isEqualTo(text);
        }
    }
}
