#pragma once
#include <fcntl.h>
#include <microhttpd.h>
#include <stdbool.h>
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

/// The bytes of the head, a good guess of the room that its fields need.
static inline size_t usher_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
