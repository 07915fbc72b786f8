#pragma once
#include <fcntl.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// libmicrohttpd's variadic functions cannot be called from Swift; these can.

/// What a daemon is started with.
struct usher_daemon_settings {
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int connections_per_address;
    size_t connection_memory;
    /// Handed to every callback.
    void *context;
    MHD_AccessHandlerCallback on_request;
    /// Gets the raw target; what it returns is the request's first context.
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback on_completion;
    MHD_NotifyConnectionCallback on_connection;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
};

static inline struct MHD_Daemon *usher_start_daemon(const struct usher_daemon_settings *settings) {
    struct MHD_OptionItem options[] = {
        {MHD_OPTION_LISTEN_SOCKET, settings->listen_socket, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_address, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->on_target, settings->context},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)settings->unescape, settings->context},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->on_completion, settings->context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->on_connection, settings->context},
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        // A pool of one is refused: the last option is then the end.
        {settings->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, settings->on_request,
        settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// Has a response sent without chunks, and the connection closed behind it.
static inline void usher_leave_unchunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// Puts what is silent for ever in the place of a descriptor, whose file is closed; false if the system has none left.
static inline bool usher_silence(int descriptor) {
    int silence = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (silence < 0) return false;
    bool is_placed = dup2(silence, descriptor) >= 0;
    if (is_placed) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    close(silence);
    return is_placed;
}

/// The socket of a connection, or -1.
static inline int usher_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// What `on_connection` stored for a connection, or NULL.
static inline void *usher_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// What the fields of a head take when they are copied: each with its lengths and two zeros.
static inline size_t usher_fields_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    int count = MHD_get_connection_values(connection, MHD_HEADER_KIND, NULL, NULL);
    return info && count > 0 ? info->header_size + 6 * (size_t)count : 0;
}

/// Where copied fields go.
struct usher_fields {
    uint8_t *next;
    size_t room;
    bool is_whole;
};

static inline uint8_t *usher_copy_text(uint8_t *to, const char *text, size_t size) {
    if (size > 0) memcpy(to, text, size);
    to[size] = 0;
    return to + size + 1;
}

static inline enum MHD_Result usher_copy_field(
    void *context, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    struct usher_fields *fields = context;
    size_t size = 6 + name_size + value_size;
    fields->is_whole = name_size <= UINT16_MAX && value_size <= UINT16_MAX && size <= fields->room;
    if (!fields->is_whole) return MHD_NO;
    uint8_t *next = fields->next;
    *next++ = name_size & 0xFF;
    *next++ = name_size >> 8;
    *next++ = value_size & 0xFF;
    *next++ = value_size >> 8;
    next = usher_copy_text(next, name, name_size);
    fields->next = usher_copy_text(next, value, value_size);
    fields->room -= size;
    return MHD_YES;
}

/// Copies a head's fields one behind the other: the lengths of name and value, two bytes each, then both with a zero
/// behind.
///
/// Returns their size; sets `is_whole` to whether all fitted.
static inline size_t usher_copy_fields(struct MHD_Connection *connection, uint8_t *to, size_t room, bool *is_whole) {
    struct usher_fields fields = {to, room, true};
    if (to) MHD_get_connection_values_n(connection, MHD_HEADER_KIND, usher_copy_field, &fields);
    *is_whole = fields.is_whole;
    return to ? (size_t)(fields.next - to) : 0;
}
