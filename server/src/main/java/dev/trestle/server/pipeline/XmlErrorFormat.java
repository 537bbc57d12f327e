package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.codec.XmlWriter;

/** The error responses of the Queue and Blob services: XML documents, and status lines with the message. */
public final class XmlErrorFormat implements ErrorFormat {
    @Override
    public Response render(Request request, StorageException error, String message) {
        Response response = ErrorRenderer.newResponse(error).reason(ErrorRenderer.reason(error));
        if (error.status() == 304) {
            // A 304 has no body.
            return response;
        }
        return response.body("application/xml", document(error, message));
    }

    @Override
    public byte[] document(StorageException error, String message) {
        XmlWriter xml = new XmlWriter(true)
                .open("Error")
                .element("Code", error.error().code())
                .element("Message", message);
        error.details().forEach(xml::element);
        return xml.close("Error").toBytes();
    }

    /**
     * Returns the message; if a detail names the failed check of the credentials, the message is the standard one.
     */
    @Override
    public String text(StorageException error) {
        return error.details().containsKey(Authenticator.DETAIL) ? error.error().message() : error.text();
    }
}
