package dev.trestle.junit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The extension of {@link TrestleTest}. The store of the outermost annotated class owns the server. */
public final class TrestleExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(TrestleExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        Store store = context.getStore(NAMESPACE);
        if (store.get(Trestle.class) == null) {
            store.put(Trestle.class, Trestle.start());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // Null in a nested class, where the outer class owns the server.
        Trestle own = context.getStore(NAMESPACE).remove(Trestle.class, Trestle.class);
        if (own != null) {
            own.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Trestle.class || isConnectionString(parameter) || SdkClients.knows(type.getName());
    }

    /** Requires the annotation, because other extensions may inject strings too. */
    private static boolean isConnectionString(ParameterContext parameter) {
        return parameter.getParameter().getType() == String.class && parameter.isAnnotated(ConnectionString.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Trestle server = context.getStore(NAMESPACE).get(Trestle.class, Trestle.class);
        if (server == null) {
            throw new ParameterResolutionException("No server is running: annotate the class with @TrestleTest");
        }
        Class<?> type = parameter.getParameter().getType();
        if (type == Trestle.class) {
            return server;
        }
        return isConnectionString(parameter)
                ? server.connectionString()
                : SdkClients.of(type.getName(), server.connectionString());
    }
}
