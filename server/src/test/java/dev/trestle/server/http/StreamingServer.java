package dev.trestle.server.http;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ModelEngine;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A front end on a free port, with operations that stream bodies, on one event loop. Its clock stands still until
 * a test calls {@link #advance}.
 */
final class StreamingServer implements AutoCloseable {
    static final long PATIENCE_SECONDS = 30;

    /** How long a body, a request and the reading of a response may take. */
    static final Duration TIME_MAX = Duration.ofSeconds(2);

    private static final TimeLimits TIMES =
            new TimeLimits(TIME_MAX, TIME_MAX, TIME_MAX, Duration.ofSeconds(30), Duration.ofSeconds(1));

    /** Far less than the tests send, so that the kernel cannot hold much of it. */
    private static final int SOCKET_BUFFER_BYTES = 256 * 1024;

    private static final String SAS = "sv=2019-02-02&ss=t&srt=sco&sp=rwdlacu&se=2099-01-01T00:00:00Z&spr=https,http"
            + "&sig=p8wax4aIU7vXZ8f8KX7TNwC%2B48Aw4AwSmVILNF1yni8%3D";
    static final String TARGET = "/devstoreaccount1/container/blob?" + SAS;

    /** Bytes read from sockets, heads included. */
    final AtomicLong read = new AtomicLong();

    final ServerLoad load;
    final BlockingQueue<RequestSummary> finished = new LinkedBlockingQueue<>();

    private final Vertx vertx;
    private final ModelEngine engine = new ModelEngine(InstantSource.system());
    private final boolean tls;
    private final AtomicLong nanos = new AtomicLong();
    private final CompletableFuture<HttpFrontEnd> frontEnd = new CompletableFuture<>();
    private volatile int port;
    private volatile @Nullable Channel channel;

    private StreamingServer(StreamingRoutes routes, HttpConfig limits, boolean tls, SocketTransport transport)
            throws Exception {
        HttpConfig config = limits.withTimes(TIMES);
        this.vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .withTransport(transport.choose())
                .build();
        this.tls = tls;
        this.load = new ServerLoad(config.loadLimit());
        Accounts accounts = Accounts.DEVELOPMENT;
        InstantSource clock = InstantSource.system();
        ErrorRenderer errors = new ErrorRenderer(routes.errors(), clock, ServerConfig.NO_TENANT);
        RequestPipeline pipeline = new RequestPipeline(
                Service.TABLE,
                accounts,
                new Authenticator(accounts, clock, false, Optional.empty()),
                (account, name) -> {
                    throw new AssertionError("no policy is named");
                },
                new Catalogue(Service.TABLE, engine, clock, new SecureRandom())::properties,
                made -> routes,
                errors,
                new Throttle(RateLimits.NONE, System::nanoTime));
        ServiceEndpoint endpoint = new ServiceEndpoint(
                vertx,
                pipeline,
                errors,
                accounts,
                new RequestIds(new SecureRandom()),
                load,
                config.times(),
                finished::add,
                clock,
                nanos::get);
        vertx.deployVerticle(new Listener(endpoint, options(tls)))
                .toCompletionStage()
                .toCompletableFuture()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static StreamingServer start(StreamingRoutes routes) throws Exception {
        return start(routes, SocketTransport.AUTO);
    }

    static StreamingServer start(StreamingRoutes routes, SocketTransport transport) throws Exception {
        return new StreamingServer(routes, HttpConfig.DEFAULT, false, transport);
    }

    static StreamingServer start(StreamingRoutes routes, HttpConfig config) throws Exception {
        return new StreamingServer(routes, config, false, SocketTransport.AUTO);
    }

    /** With TLS, and therefore also with HTTP/2. */
    static StreamingServer startTls(StreamingRoutes routes) throws Exception {
        return new StreamingServer(routes, HttpConfig.DEFAULT, true, SocketTransport.AUTO);
    }

    private static HttpServerOptions options(boolean tls) throws Exception {
        HttpServerOptions options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(0)
                .setSendBufferSize(SOCKET_BUFFER_BYTES)
                .setHandle100ContinueAutomatically(true)
                .setHttp2ClearTextEnabled(false);
        if (tls) {
            options.setSsl(true).setUseAlpn(true).setKeyCertOptions(Trusting.certificate());
        }
        return options;
    }

    private final class Listener extends AbstractVerticle {
        private final ServiceEndpoint endpoint;
        private final HttpServerOptions options;

        Listener(ServiceEndpoint endpoint, HttpServerOptions options) {
            this.endpoint = endpoint;
            this.options = options;
        }

        @Override
        public void start(Promise<Void> done) {
            HttpFrontEnd made = endpoint.newFrontEnd();
            frontEnd.complete(made);
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(connection -> {
                        made.connect(connection);
                        count(connection);
                    })
                    .requestHandler(made::handle)
                    .invalidRequestHandler(made::refuseMalformed);
            server.listen()
                    .onSuccess(listening -> port = listening.actualPort())
                    .<Void>mapEmpty()
                    .onComplete(done);
        }
    }

    private void count(HttpConnection connection) {
        Channel accepted = ((ConnectionBase) connection).channel();
        channel = accepted;
        accepted.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                read.addAndGet(((ByteBuf) message).readableBytes());
                context.fireChannelRead(message);
            }
        });
    }

    /** Advances the clock, then ends the requests and connections whose time is over. */
    void advance(Duration time) throws Exception {
        onEventLoop(() -> {
            nanos.addAndGet(time.toNanos());
            frontEnd.join().expire();
            return time;
        });
    }

    /**
     * Waits until the event loop has nothing left to do for the last connection.
     *
     * @param state what would change if there were something left; called on the event loop
     * @return the state that remained the same although the event loop handled all I/O events in between
     */
    <T> T awaitStandstill(Callable<T> state) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        T before = onEventLoop(state);
        while (System.nanoTime() < end) {
            handleEvents();
            T now = onEventLoop(state);
            if (now.equals(before)) {
                return now;
            }
            before = now;
        }
        throw new AssertionError("no standstill: " + before);
    }

    /** Bytes of the last connection that the kernel has yet to accept. To be called on the event loop. */
    long bytesPending() {
        return channel().unsafe().outboundBuffer().totalPendingWriteBytes();
    }

    private Channel channel() {
        return Objects.requireNonNull(channel, "no connection yet");
    }

    private <T> T onEventLoop(Callable<T> task) throws Exception {
        return channel().eventLoop().submit(task).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** A scheduled task runs after the event loop has polled for I/O events; a submitted one may run before. */
    private void handleEvents() throws Exception {
        for (int i = 0; i < 2; i++) {
            channel().eventLoop().schedule(() -> {}, 1, TimeUnit.NANOSECONDS).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    URI uri() {
        return URI.create((tls ? "https://localhost:" : "http://127.0.0.1:") + port + TARGET);
    }

    /** Connects a socket, with a small buffer and a read timeout. */
    void connect(Socket socket) throws IOException {
        socket.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    }

    /** The next request that is finished. */
    RequestSummary finished() throws InterruptedException {
        RequestSummary summary = finished.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (summary == null) {
            throw new AssertionError("no request was finished");
        }
        return summary;
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        engine.close();
    }
}
