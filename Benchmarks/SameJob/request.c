#include "request.h"

#include <strings.h>

/// The fields that the program evaluates.
enum field {
    HOST,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    ORIGIN,
    TRANSFER_ENCODING,
    EXPECT,
    IF_MATCH,
    IDEMPOTENCY_KEY,
    PREFER,
    FIELDS
};

static const struct text names[FIELDS] = {
    [HOST] = TEXT("Host"),
    [CONTENT_LENGTH] = TEXT("Content-Length"),
    [CONTENT_TYPE] = TEXT("Content-Type"),
    [ORIGIN] = TEXT("Origin"),
    [TRANSFER_ENCODING] = TEXT("Transfer-Encoding"),
    [EXPECT] = TEXT("Expect"),
    [IF_MATCH] = TEXT("If-Match"),
    [IDEMPOTENCY_KEY] = TEXT("Idempotency-Key"),
    [PREFER] = TEXT("Prefer")};

struct fields {
    struct text values[FIELDS];
    unsigned counts[FIELDS];
    bool has_illegal;
};

// The target.

static bool is_sessions(const char *target, size_t count) {
    return text_is((struct text){target, count}, TEXT("/sessions"));
}

/// Returns whether a target is `/sessions/ID/events`, and parses its key.
static bool read_events(const char *target, size_t count, struct key *key) {
    const struct text before = TEXT("/sessions/"), behind = TEXT("/events");
    if (count != before.count + KEY_DIGITS + behind.count) return false;
    return memcmp(target, before.bytes, before.count) == 0 &&
           memcmp(target + before.count + KEY_DIGITS, behind.bytes, behind.count) == 0 &&
           key_read(target + before.count, key);
}

void request_read_target(struct request *request, const char *target) {
    size_t count = strlen(target);
    // Neither path contains anything that could be escaped, nor a query; other targets are not found.
    request->route = ROUTE_NONE;
    if (is_sessions(target, count)) request->route = ROUTE_SESSIONS;
    else if (read_events(target, count, &request->session)) request->route = ROUTE_EVENTS;
    request->has_head = false;
}

// Fields (RFC 9110, sections 5.5 and 5.6.2).

/// A bit for each ASCII character that is allowed in a token: letters, digits and !#$%&'*+-.^_`|~.
static bool is_token_character(uint8_t byte) {
    static const uint64_t sets[4] = {0x03FF6CFA00000000, 0x57FFFFFFC7FFFFFE};
    return sets[byte >> 6] >> (byte & 63) & 1;
}

static bool is_token(struct text text) {
    for (size_t index = 0; index < text.count; index++)
        if (!is_token_character((uint8_t)text.bytes[index])) return false;
    return text.count > 0;
}

/// Returns whether a value contains no control character except tabs, so that it cannot begin another line.
static bool is_value(struct text text) {
    for (size_t index = 0; index < text.count; index++) {
        uint8_t byte = (uint8_t)text.bytes[index];
        if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return false;
    }
    return true;
}

static enum MHD_Result note_field(
    void *context, enum MHD_ValueKind kind, const char *name, size_t name_count, const char *value,
    size_t value_count) {
    struct fields *fields = context;
    if (kind != MHD_HEADER_KIND) return MHD_YES;
    struct text content = {value, value_count};
    if (!is_token((struct text){name, name_count}) || !is_value(content)) fields->has_illegal = true;
    for (int field = 0; field < FIELDS; field++) {
        if (names[field].count != name_count || strncasecmp(names[field].bytes, name, name_count) != 0) continue;
        fields->counts[field]++;
        fields->values[field] = content;
        break;
    }
    return MHD_YES;
}

// What is refused.

/// Returns whether a host is a usual name of a local server, with any port; other names may be DNS rebinding.
static bool is_own_host(struct text host) {
    const struct text own[] = {TEXT("127.0.0.1"), TEXT("localhost")};
    for (size_t index = 0; index < 2; index++)
        if (host.count >= own[index].count && memcmp(host.bytes, own[index].bytes, own[index].count) == 0 &&
            (host.count == own[index].count || host.bytes[own[index].count] == ':'))
            return true;
    return false;
}

/// Checks the length (RFC 9112, section 6.3): digits only, because an attack could frame an ambiguous body in two ways.
static unsigned check_length(const struct fields *fields) {
    struct text length = fields->values[CONTENT_LENGTH];
    size_t size = 0;
    if (fields->counts[TRANSFER_ENCODING] > 0) return MHD_HTTP_NOT_IMPLEMENTED;
    if (fields->counts[CONTENT_LENGTH] != 1 || length.count == 0) return MHD_HTTP_BAD_REQUEST;
    for (size_t index = 0; index < length.count; index++) {
        if (length.bytes[index] < '0' || length.bytes[index] > '9') return MHD_HTTP_BAD_REQUEST;
        size = 10 * size + (size_t)(length.bytes[index] - '0');
        if (size > BODY_LIMIT) return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    return 0;
}

static unsigned check_fields(const struct fields *fields) {
    if (fields->has_illegal || fields->counts[HOST] != 1) return MHD_HTTP_BAD_REQUEST;
    if (fields->counts[EXPECT] > 0) return MHD_HTTP_EXPECTATION_FAILED;
    if (!is_own_host(fields->values[HOST]) || fields->counts[ORIGIN] > 0) return MHD_HTTP_FORBIDDEN;
    unsigned refusal = check_length(fields);
    if (refusal) return refusal;
    if (fields->counts[CONTENT_TYPE] != 1 || !text_is(fields->values[CONTENT_TYPE], TEXT("application/json")))
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    if (fields->counts[IF_MATCH] + fields->counts[IDEMPOTENCY_KEY] + fields->counts[PREFER] > 0)
        return MHD_HTTP_NOT_IMPLEMENTED;
    return 0;
}

unsigned request_check_head(
    const struct request *request, struct MHD_Connection *connection, const char *method, const char *version) {
    struct fields fields = {0};
    if (strcmp(version, MHD_HTTP_VERSION_1_1) != 0) return MHD_HTTP_HTTP_VERSION_NOT_SUPPORTED;
    if (request->route == ROUTE_NONE) return MHD_HTTP_NOT_FOUND;
    if (strcmp(method, MHD_HTTP_METHOD_POST) != 0) return MHD_HTTP_METHOD_NOT_ALLOWED;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, note_field, &fields);
    return check_fields(&fields);
}
