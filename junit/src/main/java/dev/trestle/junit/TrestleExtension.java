package dev.trestle.junit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link TrestleTest} does. The server is kept in the store of the outermost class that asks for one. */
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
        // Finds nothing in a nested class, whose server is the outer one's.
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

    /** Other extensions give texts too, so this one has to be asked for it. */
    private static boolean isConnectionString(ParameterContext parameter) {
        return parameter.getParameter().getType() == String.class && parameter.isAnnotated(ConnectionString.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Trestle server = context.getStore(NAMESPACE).get(Trestle.class, Trestle.class);
        if (server == null) {
            throw new ParameterResolutionException("There is no server yet: annotate the class with @TrestleTest");
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
