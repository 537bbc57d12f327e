package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.codec.XmlWriter;

/** The errors of the services without OData: XML documents, and status lines with the text of the message. */
public final class XmlErrorFormat implements ErrorFormat {
    @Override
    public Response render(Request request, StorageException error, String message) {
        Response response = ErrorRenderer.newResponse(error).reason(ErrorRenderer.reason(error));
        if (error.status() == 304) {
            // Such a response has no body, hence no place for an explanation.
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

    /** The text of the message: where the details say why credentials do not hold, it is the service's own sentence. */
    @Override
    public String text(StorageException error) {
        return error.details().containsKey(Authenticator.DETAIL) ? error.error().message() : error.text();
    }
}
