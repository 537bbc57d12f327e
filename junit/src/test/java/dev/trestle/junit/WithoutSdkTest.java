package dev.trestle.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Projects without any SDK, or with only one. */
class WithoutSdkTest {
    /** Run only on a class path without SDKs. */
    @TrestleTest
    static class Plain {
        @Test
        void asks_without_a_client(Trestle server, @ConnectionString String text)
                throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.endpoint("Blob") + "?comp=list"))
                    .build();
            int status = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            assertThat(status).as("an error status, so the server responds").isBetween(400, 499);
            assertThat(text).isEqualTo(server.connectionString());
        }
    }

    /** Runs a test class; public, because the test below instantiates it in another class loader. */
    public static final class PlainRunner implements Callable<Long> {
        @Override
        public Long call() {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(Plain.class))
                    .execute()
                    .testEvents()
                    .succeeded()
                    .count();
        }
    }

    /** Returns a loader of this class path without the libraries with these prefixes, isolated from the test's own loader. */
    private static URLClassLoader without(String... names) throws IOException {
        List<URL> left = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String file = Path.of(entry).getFileName().toString();
            if (List.of(names).stream().noneMatch(file::startsWith)) {
                left.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(left.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void a_class_has_its_server_where_no_sdk_is() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = without("azure-", "reactor-")) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(() -> loader.loadClass("com.azure.data.tables.TableServiceClient"))
                    .isInstanceOf(ClassNotFoundException.class);
            Object runner = loader.loadClass(PlainRunner.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(((Callable<?>) runner).call()).isEqualTo(1L);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void clients_of_one_sdk_are_made_where_the_others_are_not() throws Exception {
        try (URLClassLoader loader = without("azure-storage-")) {
            var factory =
                    loader.loadClass(SdkClients.class.getName()).getDeclaredMethod("of", String.class, String.class);
            factory.setAccessible(true);
            String type = "com.azure.data.tables.TableServiceClient";
            String nowhere = "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;"
                    + "TableEndpoint=http://127.0.0.1:1/a;";
            assertThat(factory.invoke(null, type, nowhere).getClass().getName()).isEqualTo(type);
        }
    }
}
