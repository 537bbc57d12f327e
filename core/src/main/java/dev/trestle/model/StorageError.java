package dev.trestle.model;

/**
 * Every error this server answers with: wire code, HTTP status, default message, and who has to act. The codes are the
 * service's own; their order here is alphabetical.
 */
public enum StorageError {
    ATOM_FORMAT_NOT_SUPPORTED("AtomFormatNotSupported", 415, "Atom format is not supported."),
    AUTHENTICATION_FAILED(
            "AuthenticationFailed",
            403,
            "Server failed to authenticate the request. Make sure the value of Authorization header is formed"
                    + " correctly including the signature."),
    AUTHORIZATION_FAILURE("AuthorizationFailure", 403, "This request is not authorized to perform this operation."),
    AUTHORIZATION_PERMISSION_MISMATCH(
            "AuthorizationPermissionMismatch",
            403,
            "This request is not authorized to perform this operation using this permission."),
    AUTHORIZATION_PROTOCOL_MISMATCH(
            "AuthorizationProtocolMismatch",
            403,
            "This request is not authorized to perform this operation using this protocol."),
    AUTHORIZATION_RESOURCE_TYPE_MISMATCH(
            "AuthorizationResourceTypeMismatch",
            403,
            "This request is not authorized to perform this operation using this resource type."),
    AUTHORIZATION_SERVICE_MISMATCH(
            "AuthorizationServiceMismatch",
            403,
            "This request is not authorized to perform this operation using this service."),
    AUTHORIZATION_SOURCE_IP_MISMATCH(
            "AuthorizationSourceIPMismatch",
            403,
            "This request is not authorized to perform this operation using this source IP."),
    COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS(
            "CommandsInBatchActOnDifferentPartitions",
            400,
            "All commands in a batch must operate on same entity group."),
    CORS_PREFLIGHT_FAILURE("CorsPreflightFailure", 403, "CORS not enabled or no matching rule found for this request."),
    DUPLICATE_PROPERTIES_SPECIFIED("DuplicatePropertiesSpecified", 400, "A property is specified more than one time."),
    EMPTY_METADATA_KEY("EmptyMetadataKey", 400, "The key for one of the metadata key-value pairs is empty."),
    ENTITY_ALREADY_EXISTS("EntityAlreadyExists", 409, "The specified entity already exists."),
    ENTITY_TOO_LARGE("EntityTooLarge", 400, "The entity is larger than the maximum allowed size (1MB)."),
    HOST_INFORMATION_NOT_PRESENT(
            "HostInformationNotPresent",
            400,
            "The required host information is not present in the request. You must send a non-empty Host header or"
                    + " include the absolute URI in the request line."),
    INSUFFICIENT_ACCOUNT_PERMISSIONS(
            "InsufficientAccountPermissions",
            403,
            "The account being accessed does not have sufficient permissions to execute this operation."),
    INTERNAL_ERROR("InternalError", 500, "Server encountered an internal error. Please try again after some time."),
    INVALID_AUTHENTICATION_INFO(
            "InvalidAuthenticationInfo",
            400,
            "Authentication information is not given in the correct format. Check the value of Authorization header."),
    INVALID_BEARER_TOKEN(
            "InvalidAuthenticationInfo",
            401,
            "Server failed to authenticate the request. Please refer to the information in the www-authenticate"
                    + " header."),
    INVALID_DUPLICATE_ROW(
            "InvalidDuplicateRow",
            400,
            "The batch request contains multiple changes with same row key. An entity can appear only once in a batch"
                    + " request."),
    INVALID_HEADER_VALUE(
            "InvalidHeaderValue", 400, "The value for one of the HTTP headers is not in the correct format."),
    INVALID_INPUT("InvalidInput", 400, "One of the request inputs is not valid."),
    INVALID_MD5("InvalidMd5", 400, "The MD5 value specified in the request is invalid."),
    INVALID_MARKER("InvalidMarker", 400, "The specified marker is invalid."),
    INVALID_METADATA(
            "InvalidMetadata",
            400,
            "The specified metadata is invalid. It includes characters that are not permitted."),
    INVALID_QUERY_PARAMETER_VALUE(
            "InvalidQueryParameterValue",
            400,
            "Value for one of the query parameters specified in the request URI is invalid."),
    INVALID_RESOURCE_NAME("InvalidResourceName", 400, "The specifed resource name contains invalid characters."),
    INVALID_VALUE_TYPE("InvalidValueType", 400, "The value specified is invalid."),
    INVALID_XML_DOCUMENT("InvalidXmlDocument", 400, "XML specified is not syntactically valid."),
    INVALID_XML_NODE_VALUE(
            "InvalidXmlNodeValue",
            400,
            "The value provided for one of the XML nodes in the request body was not in the correct format."),
    JSON_VERBOSE_FORMAT_NOT_SUPPORTED("JsonVerboseFormatNotSupported", 415, "JSON Verbose format is not supported."),
    MD5_MISMATCH(
            "Md5Mismatch",
            400,
            "The MD5 value specified in the request did not match with the MD5 value calculated by the server."),
    MEDIA_TYPE_NOT_SUPPORTED("MediaTypeNotSupported", 415, "None of the provided media types are supported"),
    MESSAGE_NOT_FOUND("MessageNotFound", 404, "The specified message does not exist."),
    METADATA_TOO_LARGE("MetadataTooLarge", 400, "The metadata specified exceeds the maximum permissible limit."),
    METHOD_NOT_ALLOWED("MethodNotAllowed", 405, "The specified method is not allowed against this resource."),
    MISSING_REQUIRED_HEADER(
            "MissingRequiredHeader", 400, "An HTTP header that's mandatory for this request is not specified."),
    MISSING_REQUIRED_QUERY_PARAMETER(
            "MissingRequiredQueryParameter",
            400,
            "A query parameter that's mandatory for this request is not specified."),
    NO_AUTHENTICATION_INFORMATION(
            "NoAuthenticationInformation",
            401,
            "Server failed to authenticate the request. Please refer to the information in the www-authenticate"
                    + " header."),
    NOT_IMPLEMENTED("NotImplemented", 501, "The requested operation is not implemented on the specified resource."),
    OPERATION_TIMED_OUT("OperationTimedOut", 500, "The operation could not be completed within the permitted time."),
    OUT_OF_RANGE_INPUT("OutOfRangeInput", 400, "One of the request inputs is out of range."),
    OUT_OF_RANGE_QUERY_PARAMETER_VALUE(
            "OutOfRangeQueryParameterValue",
            400,
            "One of the query parameters specified in the request URI is outside the permissible range."),
    PRIMARY_KEY_PROPERTY_IS_INVALID_TYPE(
            "PrimaryKeyPropertyIsInvalidType", 400, "The primary key property is of an invalid type."),
    PROPERTIES_NEED_VALUE("PropertiesNeedValue", 400, "The values are not specified for all properties in the entity."),
    PROPERTY_NAME_INVALID("PropertyNameInvalid", 400, "The property name is invalid."),
    PROPERTY_NAME_TOO_LONG("PropertyNameTooLong", 400, "The property name exceeds the maximum allowed length (255)."),
    PROPERTY_VALUE_TOO_LARGE(
            "PropertyValueTooLarge",
            400,
            "The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is"
                    + " UTF-16 encoded and the maximum number of characters should be 32K or less."),
    QUEUE_ALREADY_EXISTS("QueueAlreadyExists", 409, "The specified queue already exists."),
    QUEUE_NOT_FOUND("QueueNotFound", 404, "The specified queue does not exist."),
    REQUEST_BODY_TOO_LARGE(
            "RequestBodyTooLarge", 413, "The request body is too large and exceeds the maximum permissible limit."),
    REQUEST_URL_FAILED_TO_PARSE("RequestUrlFailedToParse", 400, "The url in the request could not be parsed."),
    RESOURCE_NOT_FOUND("ResourceNotFound", 404, "The specified resource does not exist."),
    SERVER_BUSY("ServerBusy", 503, "The server is currently unable to receive requests. Please retry your request."),
    TABLE_ALREADY_EXISTS("TableAlreadyExists", 409, "The table specified already exists."),
    TABLE_NOT_FOUND("TableNotFound", 404, "The table specified does not exist."),
    TOO_MANY_PROPERTIES(
            "TooManyProperties",
            400,
            "The entity contains more properties than allowed. Each entity can include up to 252 properties to store"
                    + " data. Each entity also has 3 system properties."),
    UNSUPPORTED_HTTP_VERB("UnsupportedHttpVerb", 405, "The resource doesn't support the specified HTTP verb."),
    UPDATE_CONDITION_NOT_SATISFIED(
            "UpdateConditionNotSatisfied", 412, "The update condition specified in the request was not satisfied."),
    X_METHOD_INCORRECT_COUNT("XMethodIncorrectCount", 400, "More than one X-HTTP-Method header is specified."),
    X_METHOD_INCORRECT_VALUE("XMethodIncorrectValue", 400, "The specified X-HTTP-Method is invalid."),
    X_METHOD_NOT_USING_POST("XMethodNotUsingPost", 400, "The request uses X-HTTP-Method with a verb other than POST.");

    /** Who can do something about an error. */
    public enum Category {
        CALLER,
        OVERLOAD,
        SERVER
    }

    private final String code;
    private final int status;
    private final String message;

    StorageError(String code, int status, String message) {
        this.code = code;
        this.status = status;
        this.message = message;
    }

    public String code() {
        return code;
    }

    public int status() {
        return status;
    }

    public String message() {
        return message;
    }

    public Category category() {
        if (status == 503) {
            return Category.OVERLOAD;
        }
        return status == 500 ? Category.SERVER : Category.CALLER;
    }
}
