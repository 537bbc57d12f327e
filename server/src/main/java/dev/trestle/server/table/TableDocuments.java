package dev.trestle.server.table;

import dev.trestle.model.StorageException;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.server.codec.XmlWriter;
import dev.trestle.server.table.json.MetadataLevel;
import java.util.List;

/** Encodes the JSON and XML documents of the Table service other than entities: tables, errors and OData metadata. */
public final class TableDocuments {
    private TableDocuments() {}

    /** Encodes a table, for Create Table and Get Table. */
    public static byte[] table(String account, String baseUrl, MetadataLevel level, String name) {
        WireBuffer out = new WireBuffer(512).octet('{');
        if (level != MetadataLevel.NONE) {
            out.ascii("\"odata.metadata\":\"").utf8(baseUrl).ascii("/$metadata#Tables/@Element\",");
        }
        tableMembers(out, account, baseUrl, level, name);
        return out.octet('}').toBytes();
    }

    /** Encodes a page of tables. */
    public static byte[] tables(String account, String baseUrl, MetadataLevel level, List<String> names) {
        WireBuffer out = new WireBuffer(256 + 64 * names.size()).octet('{');
        if (level != MetadataLevel.NONE) {
            out.ascii("\"odata.metadata\":\"").utf8(baseUrl).ascii("/$metadata#Tables\",");
        }
        out.ascii("\"value\":[");
        for (int i = 0; i < names.size(); i++) {
            out.ascii(i == 0 ? "{" : ",{");
            tableMembers(out, account, baseUrl, level, names.get(i));
            out.octet('}');
        }
        return out.ascii("]}").toBytes();
    }

    private static void tableMembers(WireBuffer out, String account, String baseUrl, MetadataLevel level, String name) {
        if (level == MetadataLevel.FULL) {
            out.ascii("\"odata.type\":\"").ascii(account).ascii(".Tables\",\"odata.id\":\"");
            out.utf8(baseUrl).ascii("/Tables('").ascii(name).ascii("')\",\"odata.editLink\":\"Tables('");
            out.ascii(name).ascii("')\",");
        }
        out.ascii("\"TableName\":").string(name);
    }

    /** Encodes an error in JSON; the message ends with the request id and the time. */
    public static byte[] jsonError(StorageException failure, String message) {
        return new WireBuffer(512)
                .ascii("{\"odata.error\":{\"code\":\"")
                .ascii(failure.error().code())
                .ascii("\",\"message\":{\"lang\":\"en-US\",\"value\":")
                .string(message)
                .ascii("}}}")
                .toBytes();
    }

    /** Encodes the OData service document, the list of collections at the root. */
    public static byte[] serviceDocument(String baseUrl, MetadataLevel level) {
        WireBuffer out = new WireBuffer(256).octet('{');
        if (level != MetadataLevel.NONE) {
            out.ascii("\"odata.metadata\":\"").utf8(baseUrl).ascii("/$metadata\",");
        }
        return out.ascii("\"value\":[{\"name\":\"Tables\",\"url\":\"Tables\"}]}")
                .toBytes();
    }

    /** Encodes the OData metadata document. Only the collection of tables has a fixed schema. */
    public static byte[] metadata(String account) {
        return new XmlWriter(false)
                .open("edmx:Edmx Version=\"1.0\" xmlns:edmx=\"http://schemas.microsoft.com/ado/2007/06/edmx\"")
                .open("edmx:DataServices m:DataServiceVersion=\"3.0\" m:MaxDataServiceVersion=\"3.0\""
                        + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"")
                .open("Schema Namespace=\"" + account + "\" xmlns=\"http://schemas.microsoft.com/ado/2009/11/edm\"")
                .open("EntityType Name=\"Tables\"")
                .open("Key")
                .open("PropertyRef Name=\"TableName\" /")
                .close("Key")
                .open("Property Name=\"TableName\" Type=\"Edm.String\" Nullable=\"false\" /")
                .close("EntityType")
                .open("EntityContainer Name=\"" + account + "\" m:IsDefaultEntityContainer=\"true\"")
                .open("EntitySet Name=\"Tables\" EntityType=\"" + account + ".Tables\" /")
                .close("EntityContainer")
                .close("Schema")
                .close("edmx:DataServices")
                .close("edmx:Edmx")
                .toBytes();
    }
}
