package dev.trestle.server.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A front end on a free port, with operations that take bodies as they come. */
final class StreamingServer implements AutoCloseable {
    static final long PATIENCE_SECONDS = 30;

    /** Short where a test waits for it to pass. */
    static final TimeLimits TIMES = new TimeLimits(
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1));

    private static final String SAS = "sv=2019-02-02&ss=t&srt=sco&sp=rwdlacu&se=2099-01-01T00:00:00Z&spr=https,http"
            + "&sig=p8wax4aIU7vXZ8f8KX7TNwC%2B48Aw4AwSmVILNF1yni8%3D";
    static final String TARGET = "/devstoreaccount1/container/blob?" + SAS;

    /** Bytes that came off sockets, heads included. */
    final AtomicLong read = new AtomicLong();

    final ServerLoad load;
    final BlockingQueue<RequestSummary> finished = new LinkedBlockingQueue<>();

    private final Vertx vertx;
    private final ModelEngine engine = new ModelEngine(InstantSource.system());
    private final boolean tls;
    private volatile int port;

    private StreamingServer(StreamingRoutes routes, HttpConfig config, boolean tls, SocketTransport transport)
            throws Exception {
        assumeTrue(transport.choose().available(), () -> "this system has " + transport);
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
                System::nanoTime);
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

    static StreamingServer startImpatient(StreamingRoutes routes) throws Exception {
        return startImpatient(routes, SocketTransport.AUTO);
    }

    static StreamingServer startImpatient(StreamingRoutes routes, SocketTransport transport) throws Exception {
        return new StreamingServer(routes, HttpConfig.DEFAULT.withTimes(TIMES), false, transport);
    }

    private static HttpServerOptions options(boolean tls) throws Exception {
        HttpServerOptions options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(0)
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
            HttpFrontEnd frontEnd = endpoint.newFrontEnd();
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(connection -> {
                        frontEnd.connect(connection);
                        count(connection);
                    })
                    .requestHandler(frontEnd::handle)
                    .invalidRequestHandler(frontEnd::refuseMalformed);
            server.listen()
                    .onSuccess(listening -> port = listening.actualPort())
                    .<Void>mapEmpty()
                    .onComplete(done);
        }
    }

    private void count(HttpConnection connection) {
        ((ConnectionBase) connection).channel().pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                read.addAndGet(((ByteBuf) message).readableBytes());
                context.fireChannelRead(message);
            }
        });
    }

    URI uri() {
        return URI.create((tls ? "https://localhost:" : "http://127.0.0.1:") + port + TARGET);
    }

    Socket connect() throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        return socket;
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
