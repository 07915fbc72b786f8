// A replacement for libmicrohttpd, loaded with LD_PRELOAD: it has no sockets, but makes the same callbacks with the same memory.
//
// One thread opens sessions and sends them the events of a walk, while callgrind counts instructions. After subtracting
// the instructions of this file, the result is the server's own cost, without libmicrohttpd and the kernel.
//
//     STAND_IN_WALK=FILE STAND_IN_SESSIONS=100 STAND_IN_EVENTS=2000

#define _GNU_SOURCE
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "../Load/fail.h"
#include "../Load/walk.h"

enum { MEMORY_SIZE = 32768, RECORD_SIZE = 64, FIELDS = 3, ANSWER_SIZE = 16384, CONNECTIONS = 64 };

struct field {
    const char *name;
    const char *value;
};

struct MHD_Response {
    const void *body;
    size_t size;
};

/// A connection, whose memory contains the request's head as libmicrohttpd leaves it: cut in place by zeros.
struct MHD_Connection {
    char memory[MEMORY_SIZE];
    size_t head_size;
    struct field fields[FIELDS];
    bool is_marked;
    void *context;
    void *request;
    unsigned status;
    char answer[ANSWER_SIZE];
    sem_t resumed;
    union MHD_ConnectionInfo info;
};

/// The server's callbacks.
static struct {
    MHD_AccessHandlerCallback on_request;
    void *context;
    void *(*on_target)(void *, const char *, struct MHD_Connection *);
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    MHD_RequestCompletedCallback on_completion;
    MHD_NotifyConnectionCallback on_connection;
} server;

// The functions that the server calls about a connection.

const union MHD_ConnectionInfo *MHD_get_connection_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type, ...) {
    switch (type) {
    case MHD_CONNECTION_INFO_SOCKET_CONTEXT: connection->info.socket_context = connection->context; break;
    case MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE: connection->info.header_size = connection->head_size; break;
    default: return NULL;
    }
    return &connection->info;
}

int MHD_get_connection_values(
    struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator iterator, void *context) {
    (void)kind, (void)iterator, (void)context;
    return FIELDS + connection->is_marked;
}

/// The server's cookie comes first, and its copy is behind the free memory.
int MHD_get_connection_values_n(
    struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIteratorN iterator, void *context) {
    (void)kind;
    if (iterator(context, MHD_HEADER_KIND, "Cookie", 6, "x", 1) != MHD_YES) return 1;
    for (int index = 0; index < FIELDS; index++) {
        const struct field *field = &connection->fields[index];
        if (iterator(context, MHD_HEADER_KIND, field->name, strlen(field->name), field->value, strlen(field->value)) !=
            MHD_YES)
            return index + 2;
    }
    const char *mark = connection->memory + MEMORY_SIZE - (FIELDS + 2) * RECORD_SIZE;
    iterator(context, MHD_COOKIE_KIND, mark, 1, "", 0);
    return FIELDS + 2;
}

enum MHD_Result MHD_set_connection_value_n(
    struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value,
    size_t value_size) {
    (void)kind, (void)name, (void)name_size, (void)value, (void)value_size;
    connection->is_marked = true;
    return MHD_YES;
}

void MHD_suspend_connection(struct MHD_Connection *connection) { (void)connection; }

void MHD_resume_connection(struct MHD_Connection *connection) { sem_post(&connection->resumed); }

// Responses.

struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *body, enum MHD_ResponseMemoryMode mode) {
    (void)mode;
    struct MHD_Response *response = malloc(sizeof *response);
    if (response) *response = (struct MHD_Response){body, size};
    return response;
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name, const char *value) {
    (void)response, (void)name, (void)value;
    return MHD_YES;
}

enum MHD_Result MHD_set_response_options(struct MHD_Response *response, enum MHD_ResponseFlags flags, ...) {
    (void)response, (void)flags;
    return MHD_YES;
}

enum MHD_Result MHD_queue_response(
    struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    if (response->size >= ANSWER_SIZE) FAIL("an answer of %zu bytes", response->size);
    connection->status = status;
    memcpy(connection->answer, response->body, response->size);
    connection->answer[response->size] = 0;
    return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *response) { free(response); }

// A request, from its line to its answer.

/// Adds a text, followed by the bytes that libmicrohttpd puts there, and returns the text's place.
static const char *put(struct MHD_Connection *connection, const char *text, const char *behind, size_t size) {
    char *place = connection->memory + connection->head_size;
    size_t length = strlen(text);
    memcpy(place, text, length);
    memcpy(place + length, behind, size);
    connection->head_size += length + size;
    return place;
}

static void write_head(struct MHD_Connection *connection, const char *target, size_t body_size, const char *texts[2]) {
    char digits[24], *length = digits + sizeof digits - 1;
    *length = 0;
    do *--length = (char)('0' + body_size % 10);
    while (body_size /= 10);
    const struct field fields[FIELDS] = {
        {"Host", "127.0.0.1"}, {"Content-Type", "application/json"}, {"Content-Length", length}};
    connection->head_size = 0;
    connection->is_marked = false;
    put(connection, "POST", "", 1);
    texts[0] = put(connection, target, "", 1);
    texts[1] = put(connection, "HTTP/1.1", "\0", 2);
    for (int index = 0; index < FIELDS; index++) {
        connection->fields[index].name = put(connection, fields[index].name, "\0 ", 2);
        bool is_last = index == FIELDS - 1;
        connection->fields[index].value = put(connection, fields[index].value, "\0\0\0", is_last ? 4 : 2);
    }
}

static void advance(struct MHD_Connection *connection, const char *texts[2], const char *part, size_t size) {
    if (server.on_request(
            server.context, connection, texts[0], connection->memory, texts[1], part, &size, &connection->request) !=
        MHD_YES)
        FAIL("a request to %s was cut off", texts[0]);
}

static void exchange(struct MHD_Connection *connection, const char *target, const char *body) {
    const char *texts[2];
    write_head(connection, target, strlen(body), texts);
    connection->status = 0;
    connection->request = server.on_target(server.context, texts[0], connection);
    server.unescape(server.context, connection, (char *)texts[0]);
    advance(connection, texts, NULL, 0);
    if (!connection->status) advance(connection, texts, body, strlen(body));
    if (!connection->status) advance(connection, texts, NULL, 0);
    while (!connection->status) {
        while (sem_wait(&connection->resumed) != 0 && errno == EINTR) {}
        advance(connection, texts, NULL, 0);
    }
    server.on_completion(server.context, connection, &connection->request, MHD_REQUEST_TERMINATED_COMPLETED_OK);
    if (connection->status >= 300) FAIL("%s: status %u: %s", target, connection->status, connection->answer);
}

// The load.

enum { TARGET_SIZE = 64, ID_SIZE = 32 };

static long number(const char *name) {
    const char *text = getenv(name);
    if (!text || atol(text) < 1) FAIL("%s is not set", name);
    return atol(text);
}

/// Opens a session, and writes the target for its events.
static void open_session(struct MHD_Connection *connection, const char *body, char target[TARGET_SIZE]) {
    static const char before[] = "\"session\":\"";
    exchange(connection, "/sessions", body);
    const char *id = strstr(connection->answer, before);
    if (!id) FAIL("no session: %s", connection->answer);
    snprintf(target, TARGET_SIZE, "/sessions/%.*s/events", ID_SIZE, id + strlen(before));
}

static void send_events(
    struct MHD_Connection *connections, const struct walk *walk, char (*targets)[TARGET_SIZE], long sessions, long from,
    long count) {
    for (long number = from; number < from + count; number++) {
        const char *event = walk_event(walk, (size_t)(number / sessions));
        exchange(&connections[number % CONNECTIONS], targets[number % sessions], event);
    }
}

static void *drive(void *nothing) {
    (void)nothing;
    struct walk walk;
    const char *path = getenv("STAND_IN_WALK");
    if (!path) FAIL("STAND_IN_WALK is not set");
    walk_read(&walk, path);
    long sessions = number("STAND_IN_SESSIONS"), events = number("STAND_IN_EVENTS");
    struct MHD_Connection *connections = calloc(CONNECTIONS, sizeof *connections);
    char(*targets)[TARGET_SIZE] = calloc((size_t)sessions, TARGET_SIZE);
    if (!connections || !targets) FAIL("out of memory");
    for (int index = 0; index < CONNECTIONS; index++) {
        struct MHD_Connection *connection = &connections[index];
        sem_init(&connection->resumed, 0, 0);
        server.on_connection(server.context, connection, &connection->context, MHD_CONNECTION_NOTIFY_STARTED);
    }
    for (long index = 0; index < sessions; index++)
        open_session(&connections[index % CONNECTIONS], walk.opening, targets[index]);
    // Lets each session complete its walk, so that all buffers have reached their final sizes.
    long warm_up = sessions * (long)(walk.once + 2 * (walk.events_count - walk.once));
    send_events(connections, &walk, targets, sessions, 0, warm_up);
    CALLGRIND_ZERO_STATS;
    send_events(connections, &walk, targets, sessions, warm_up, events);
    CALLGRIND_DUMP_STATS;
    _exit(0);
}

// The daemon.

static void set(const struct MHD_OptionItem *option) {
    switch (option->option) {
    case MHD_OPTION_URI_LOG_CALLBACK: server.on_target = (void *)option->value; break;
    case MHD_OPTION_UNESCAPE_CALLBACK: server.unescape = (void *)option->value; break;
    case MHD_OPTION_NOTIFY_COMPLETED: server.on_completion = (void *)option->value; break;
    case MHD_OPTION_NOTIFY_CONNECTION: server.on_connection = (void *)option->value; break;
    default: break;
    }
}

struct MHD_Daemon *MHD_start_daemon(
    unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accept_context,
    MHD_AccessHandlerCallback on_request, void *context, ...) {
    (void)port, (void)accept, (void)accept_context;
    static char daemon;
    // A standby daemon, which only replaces a busy daemon, has nothing to do here.
    if (flags & MHD_USE_NO_LISTEN_SOCKET) return (struct MHD_Daemon *)&daemon;
    server.on_request = on_request;
    server.context = context;
    va_list arguments;
    va_start(arguments, context);
    if (va_arg(arguments, enum MHD_OPTION) == MHD_OPTION_ARRAY) {
        const struct MHD_OptionItem *option = va_arg(arguments, struct MHD_OptionItem *);
        while (option->option != MHD_OPTION_END) set(option++);
    }
    va_end(arguments);
    pthread_t thread;
    if (pthread_create(&thread, NULL, drive, NULL) != 0) FAIL("no thread");
    return (struct MHD_Daemon *)&daemon;
}

void MHD_stop_daemon(struct MHD_Daemon *daemon) { (void)daemon; }
