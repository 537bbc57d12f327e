package dev.trestle.testkit;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;

/** A queue on any engine, for contracts of its messages. Time is moved by the tests alone. */
public abstract class QueueContract extends EngineContract {
    private static final String ACCOUNT = "acct1";
    protected static final QueueName JOBS = new QueueName("jobs");
    protected static final long SECOND = Ticks.PER_SECOND;
    protected static final long WEEK = 7 * Ticks.PER_DAY;

    /** Makes names unique, so that tests on one store do not find the queues of earlier runs. */
    private final Random random = new Random();

    protected final String account = ACCOUNT + Integer.toHexString(random.nextInt());
    protected QueueService queues;

    protected QueueContract(Opener opener) {
        super(opener);
    }

    @BeforeEach
    final void makeQueue() {
        queues = newService();
        await(queues.create(account, JOBS, Map.of()));
    }

    /** Starts a new service, with empty caches. */
    protected QueueService newService() {
        return new QueueService(engine, new Catalogue(Service.QUEUE, engine, clock, random), clock, random);
    }

    protected Message put(String text) {
        return put(text, 0, WEEK);
    }

    protected Message put(String text, long delay, long life) {
        return await(queues.put(account, JOBS, text, delay, life));
    }

    protected List<Message> take(int messages, long hidden) {
        return await(queues.take(account, JOBS, messages, hidden, Runnable::run));
    }

    protected List<Message> peek(int messages) {
        return await(queues.peek(account, JOBS, messages));
    }

    protected static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }

    protected void move(long seconds) {
        // Never to the very moment that something was put off to, where a tick decides.
        clock.move(Duration.ofSeconds(seconds).plusMillis(1));
    }

    protected void restart() throws Exception {
        reopen();
        queues = newService();
        // Some ticks, because those of a clock that stands still were given one after the other.
        move(0);
    }

    protected void remove(Message message) {
        await(queues.remove(account, JOBS, message.id(), message.receipt()));
    }

    protected StorageError removalError(Message message) {
        return errorOf(queues.remove(account, JOBS, message.id(), message.receipt()));
    }
}
