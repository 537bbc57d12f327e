package dev.trestle.catalogue;

import java.util.concurrent.CompletionStage;

/** Where the properties of one service are kept, for each account. */
public interface PropertiesStore {
    CompletionStage<ServiceProperties> properties(String account);

    CompletionStage<Void> setProperties(String account, ServiceProperties properties);
}
