package dev.trestle.engine.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

/** A socket to the cluster that counts received bytes, for all clients with {@link #configure these settings}. */
public final class CountingChannel extends NioSocketChannel {
    private static final AtomicLong RECEIVED = new AtomicLong();

    /** Writes a client configuration to a folder, for engines in this JVM. */
    static void configure(Path folder) throws IOException {
        Configuration settings = new Configuration(false);
        NettyRpcClientConfigHelper.setEventLoopConfig(settings, new NioEventLoopGroup(2), CountingChannel.class);
        try (OutputStream out = Files.newOutputStream(folder.resolve("hbase-site.xml"))) {
            settings.writeXml(out);
        }
        for (String other : new String[] {"core-site.xml", "hdfs-site.xml"}) {
            Files.writeString(folder.resolve(other), "<configuration/>");
        }
    }

    /** Returns the bytes received from the cluster so far, including framing. */
    static long received() {
        return RECEIVED.get();
    }

    @Override
    protected int doReadBytes(ByteBuf buffer) throws Exception {
        int bytes = super.doReadBytes(buffer);
        RECEIVED.addAndGet(Math.max(0, bytes));
        return bytes;
    }
}
