package dev.trestle.server.table;

import dev.trestle.model.TableName;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.Call;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.table.json.MetadataLevel;
import java.util.Optional;

/**
 * A call of an operation of the Table service.
 *
 * @param verb the effective verb, which POST may tunnel
 * @param target the table; empty for an operation on the account or on the list of tables
 */
record TableCall(Request request, Grant grant, String verb, ResourcePath path, Optional<TableName> target)
        implements Call {

    String account() {
        return request.account();
    }

    TableName table() {
        return target.orElseThrow();
    }

    /** Returns the metadata level of the response. */
    MetadataLevel level() {
        return MetadataLevel.negotiate(request.query("$format"), request.header("Accept"));
    }
}
