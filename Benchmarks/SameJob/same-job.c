// The lower bound for usher's own job: the cost of an event of `start-login-main` in handwritten C.
//
// The program does only what usher does for such an event. It checks the target and the header section, parses the body as
// strict JSON, and finds the session in locked shards. The app's handler starts or finishes a coordinator, which is a separate
// object. The program encodes the coordinator's screen, computes the tree's digest and the entry with its checksum, and stores
// the entry in memory. The answer is the new state, byte for byte as usher sends it. There is one app with two routes,
// `POST /sessions` and `POST /sessions/ID/events`; other routes are 404, and only events by name are accepted. The program
// never hibernates a session, has no deadlines, and reports nothing about itself except the number of answers.
//
//     same-job PORT THREADS        prints "same-job: listening on http://127.0.0.1:PORT"; port 0 selects a free port

#include <arpa/inet.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "answers.h"
#include "checksum.h"
#include "json.h"
#include "request.h"
#include "sessions.h"

enum { CONNECTION_MEMORY = 8 * 1024, BACKLOG = 512 };

/// A connection, with the buffers that it reuses for each request.
struct connection {
    struct request request;
    uint64_t arrived_at;
    struct buffer body, answer, tag;
};

static uint64_t nanoseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Answers.

static const char *entity_tag(struct connection *connection, uint64_t revision) {
    struct buffer *tag = &connection->tag;
    tag->count = 0;
    BUFFER_ADD(tag, "\"");
    buffer_add_number(tag, revision);
    buffer_add(tag, (struct text){"\"", 2});  // With the zero behind it.
    return tag->bytes;
}

/// Queues the answer.
///
/// If the answer has a revision or a location, the revision is sent as the entity tag, and the location, too.
static enum MHD_Result reply(
    struct MHD_Connection *client, struct connection *connection, unsigned status, uint64_t revision,
    const char *place) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(connection->answer.count, connection->answer.bytes, MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    MHD_add_response_header(
        response, MHD_HTTP_HEADER_CONTENT_TYPE, status < 400 ? "application/json" : "application/problem+json");
    if (revision > 0) MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, entity_tag(connection, revision));
    if (place) MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, place);
    enum MHD_Result result = MHD_queue_response(client, status, response);
    MHD_destroy_response(response);
    answers_count(status, nanoseconds_now() - connection->arrived_at);
    return result;
}

/// A problem (RFC 9457).
static enum MHD_Result refuse(struct MHD_Connection *client, struct connection *connection, unsigned status) {
    connection->answer.count = 0;
    BUFFER_ADD(&connection->answer, "{\"type\":\"about:blank\",\"status\":");
    buffer_add_number(&connection->answer, status);
    BUFFER_ADD(&connection->answer, "}");
    return reply(client, connection, status, 0, NULL);
}

// The two routes.

/// Returns whether the body opens this app, and whether the user has logged in before.
static bool read_opening(const struct json *json, bool *is_logged_in) {
    const struct json_token *app = json_member(json, json->tokens, TEXT("app"));
    const struct json_token *options = json_member(json, json->tokens, TEXT("options"));
    if (!app || app->kind != JSON_STRING || !text_is(json_string(json, app), TEXT("start-login-main"))) return false;
    const struct json_token *flag = options ? json_member(json, options, TEXT("loggedIn")) : NULL;
    *is_logged_in = flag && flag->kind == JSON_TRUE;
    if (options && options->kind != JSON_OBJECT) return false;
    return json_members(json, json->tokens) == (options ? 2u : 1u) &&
           (!options || json_members(json, options) == (flag ? 1u : 0u));
}

static enum MHD_Result open_session(
    struct MHD_Connection *client, struct connection *connection, const struct json *json) {
    bool is_logged_in;
    if (!read_opening(json, &is_logged_in)) return refuse(client, connection, MHD_HTTP_UNPROCESSABLE_CONTENT);
    struct key key = session_open(is_logged_in, json_text(json, json->tokens), &connection->answer);
    struct buffer place = {0};
    BUFFER_ADD(&place, "/sessions/");
    key_add_digits(&place, key);
    buffer_add_byte(&place, 0);
    enum MHD_Result result = reply(client, connection, MHD_HTTP_CREATED, 1, place.bytes);
    free(place.bytes);
    return result;
}

static enum MHD_Result send_event(
    struct MHD_Connection *client, struct connection *connection, const struct json *json) {
    const struct json_token *event = json_member(json, json->tokens, TEXT("event"));
    if (!event || event->kind != JSON_STRING || json_members(json, json->tokens) != 1)
        return refuse(client, connection, MHD_HTTP_BAD_REQUEST);
    struct session *session = session_find(connection->request.session);
    if (!session) return refuse(client, connection, MHD_HTTP_NOT_FOUND);
    uint64_t revision = session_handle(session, json_string(json, event), &connection->answer);
    if (revision == 0) return refuse(client, connection, MHD_HTTP_UNPROCESSABLE_CONTENT);
    return reply(client, connection, MHD_HTTP_OK, revision, NULL);
}

static enum MHD_Result respond(struct MHD_Connection *client, struct connection *connection) {
    struct json json;
    connection->answer.count = 0;
    if (!json_read(&json, buffer_text(&connection->body))) return refuse(client, connection, MHD_HTTP_BAD_REQUEST);
    if (connection->request.route == ROUTE_SESSIONS) return open_session(client, connection, &json);
    return send_event(client, connection, &json);
}

// The callbacks of libmicrohttpd.

static void *on_target(void *context, const char *target, struct MHD_Connection *client) {
    (void)context;
    struct connection *connection = MHD_get_connection_info(client, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    connection->arrived_at = nanoseconds_now();
    connection->body.count = 0;
    request_read_target(&connection->request, target);
    return connection;
}

static enum MHD_Result on_request(
    void *context, struct MHD_Connection *client, const char *path, const char *method, const char *version,
    const char *part, size_t *size, void **slot) {
    (void)context, (void)path;
    struct connection *connection = *slot;
    if (!connection->request.has_head) {
        connection->request.has_head = true;
        unsigned refusal = request_check_head(&connection->request, client, method, version);
        return refusal ? refuse(client, connection, refusal) : MHD_YES;
    }
    if (*size == 0) return respond(client, connection);
    if (*size > BODY_LIMIT - connection->body.count) return MHD_NO;
    buffer_add(&connection->body, (struct text){part, *size});
    *size = 0;
    return MHD_YES;
}

/// Leaves the path unchanged, because valid paths have no escapes.
static size_t leave_escaped(void *context, struct MHD_Connection *client, char *path) {
    (void)context, (void)client;
    return strlen(path);
}

static void on_completion(
    void *context, struct MHD_Connection *client, void **slot, enum MHD_RequestTerminationCode reason) {
    (void)context, (void)client, (void)reason;
    *slot = NULL;
}

static void on_connection(
    void *context, struct MHD_Connection *client, void **slot, enum MHD_ConnectionNotificationCode code) {
    (void)context, (void)client;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *slot = calloc(1, sizeof(struct connection));
        if (!*slot) FAIL("out of memory");
        return;
    }
    struct connection *connection = *slot;
    free(connection->body.bytes);
    free(connection->answer.bytes);
    free(connection->tag.bytes);
    free(connection);
}

// The server.

/// Binds a socket to a port of this machine, as usher does, and returns the port.
static int listening(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 || setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) != 0 ||
        bind(made, (struct sockaddr *)&address, size) != 0 || listen(made, BACKLOG) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &size) != 0)
        FAIL("same-job cannot listen on port %u", *port);
    *port = ntohs(address.sin_port);
    return made;
}

static struct MHD_Daemon *start(int socket, unsigned int threads) {
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, socket, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)on_target, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)leave_escaped, NULL},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_completion, NULL},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, NULL},
        // libmicrohttpd refuses a pool of one thread; this option is then the end of the list.
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, NULL, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

int main(int count, char **arguments) {
    if (count != 3) FAIL("usage: same-job PORT THREADS");
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);  // The daemon's threads inherit the mask.
    checksum_prepare();
    journal_prepare();
    sessions_prepare();
    uint16_t port = (uint16_t)atoi(arguments[1]);
    int socket = listening(&port);
    struct MHD_Daemon *daemon = start(socket, (unsigned int)atoi(arguments[2]));
    if (!daemon) FAIL("same-job cannot start");
    printf("same-job: listening on http://127.0.0.1:%u\n", port);
    fflush(stdout);
    int ending;
    sigwait(&ends, &ending);
    MHD_stop_daemon(daemon);
    answers_print();
    return 0;
}
