#pragma once
#include <fcntl.h>
#include <linux/filter.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Swift cannot call libmicrohttpd's variadic functions, so these functions call them.

/// The settings of a daemon.
struct usher_daemon_settings {
    /// The socket to accept connections from; -1 if the caller passes connections to the daemon.
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    size_t connection_memory;
    /// Passed to every callback.
    void *context;
    MHD_AccessHandlerCallback on_request;
    /// Called with the raw target; the result is the first context of the request.
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback on_completion;
    MHD_NotifyConnectionCallback on_connection;
    MHD_LogCallback on_log;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
};

static inline struct MHD_Daemon *usher_start_daemon(const struct usher_daemon_settings *settings) {
    bool listens = settings->listen_socket >= 0;
    struct MHD_OptionItem options[] = {
        // This option is first, because libmicrohttpd reports errors in the other options to this logger.
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)settings->on_log, settings->context},
        {MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->on_target, settings->context},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)settings->unescape, settings->context},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->on_completion, settings->context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->on_connection, settings->context},
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        // Without a socket, the list ends here. libmicrohttpd rejects a pool of one thread.
        {listens ? MHD_OPTION_LISTEN_SOCKET : MHD_OPTION_END, settings->listen_socket, NULL},
        {settings->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (!listens) flags |= MHD_USE_NO_LISTEN_SOCKET;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->on_request, settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// Makes libmicrohttpd send a response without chunks, and close the connection afterwards.
static inline void usher_leave_unchunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

static inline void usher_add_entity_tag(struct MHD_Response *response, uint64_t number) {
    char text[24] = {0};
    char *at = text + sizeof text - 1;
    *--at = '"';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    *--at = '"';
    MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, at);
}

/// Opens a descriptor that never becomes readable; -1 if the system has none left.
static inline int usher_open_silence(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Replaces a socket by a descriptor that never becomes readable, and removes the socket from all epoll sets.
///
/// If another process also has the socket, the sets would continue to report it without this removal.
static inline void usher_silence(int descriptor, int silence, int descriptor_limit) {
    for (int epoll = 0; epoll < descriptor_limit; epoll++) epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
    if (dup2(silence, descriptor) >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Makes a listening TCP socket ignore new connections; connections that have begun can still be accepted.
static inline void usher_ignore_beginnings(int socket) {
    // Byte 13 of a TCP header contains the flags: the first segment of a connection has SYN, but not ACK.
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x12),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/// Makes a listening socket accept new connections again.
static inline void usher_take_beginnings(int socket) {
    int none = 0;
    setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
}

/// Returns the socket of a connection, or -1.
static inline int usher_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// Writes the address of a connection's peer as an IPv6 address in network byte order.
///
/// Returns false if the peer has no address, as on a Unix socket.
static inline bool usher_peer_address(struct MHD_Connection *connection, uint8_t address[16]) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || !info->client_addr) return false;
    if (info->client_addr->sa_family == AF_INET6) {
        memcpy(address, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
        return true;
    }
    if (info->client_addr->sa_family != AF_INET) return false;
    memset(address, 0, 10);
    memset(address + 10, 0xFF, 2);
    memcpy(address + 12, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return true;
}

/// Returns the pointer that `on_connection` stored for a connection, or NULL.
static inline void *usher_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Accepts a connection and passes it to a daemon; returns false if no connection waits, or if no descriptor is left
/// for a waiting connection.
static inline bool usher_accept_for(struct MHD_Daemon *daemon, int listen_socket) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int accepted = accept4(listen_socket, (struct sockaddr *)&address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) return false;
    // If the daemon rejects the connection, the daemon also closes the connection.
    return MHD_add_connection(daemon, accepted, (struct sockaddr *)&address, size) == MHD_YES;
}

/// Returns the number of bytes that a socket has received and that were not read yet.
static inline int usher_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/// Watches a socket until its peer shuts down its sending side; the event then contains `tag`.
static inline bool usher_watch_hang_up(int watch, int descriptor, uint64_t tag) {
    // One event only, because shutting down the reading side in response would cause another event.
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = tag};
    return epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

/// Stops watching a socket.
///
/// If another descriptor of the same socket stays open, closing this descriptor would not stop the watching.
static inline void usher_unwatch(int watch, int descriptor) {
    epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL);
}

/// Waits for at most `capacity` events, and stores their tags.
static inline int usher_wait_for_hang_ups(int watch, uint64_t *tags, int capacity, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(watch, events, capacity < 64 ? capacity : 64, milliseconds);
    for (int index = 0; index < count; index++) tags[index] = events[index].data.u64;
    return count;
}

// How libmicrohttpd uses a connection's memory: the request's head is at its beginning, where names and values are
// zero-terminated in place. A record for each field is at its end. The response's head is built in between.

/// The number of bytes that are guaranteed for a response's head.
enum { usher_answer_room = 1024 };

// The size of a field's record, with its alignment.
enum { usher_record_size = 64 };

/// Adds a `Cookie` field before all fields of a request; must be called when its request line has arrived.
///
/// libmicrohttpd copies the first `Cookie` field, and the place of the copy shows where the free memory ends. It also
/// does not split the client's cookies, many of which would fill the memory.
static inline void usher_mark_memory(struct MHD_Connection *connection) {
    MHD_set_connection_value_n(connection, MHD_HEADER_KIND, "Cookie", 6, "x", 1);
}

/// The parts of a request line, in the connection's memory.
struct usher_line {
    const char *method;
    uintptr_t target;
    size_t target_size;
    const char *version;
};

/// The properties of a head, besides the values of its fields.
struct usher_head {
    /// The size of the copied fields: for each, two lengths of two bytes, the name, a zero, the value, and a zero.
    size_t size;
    /// Whether the buffer had room for all fields.
    bool is_whole;
    /// Whether there is text that is no field: a folded line, a line cut by a NUL, or a line that was left out.
    bool has_hidden_text;
    /// Whether there are blanks after a value that libmicrohttpd compares without removing them.
    bool has_padded_value;
    /// Whether there is room for a response's head, whatever has arrived after this head.
    bool has_room;
};

/// Returns the number of bytes for a copy of a head's fields, with the lengths and two zeros of each.
static inline size_t usher_fields_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    int count = MHD_get_connection_values(connection, MHD_HEADER_KIND, NULL, NULL);
    return info && count > 0 ? info->header_size + 6 * (size_t)count : 0;
}

/// The state of an iteration over a head's fields.
struct usher_walk {
    struct usher_head head;
    uint8_t *next;
    size_t room;
    /// The start and the end of the head.
    const char *start;
    const char *limit;
    /// The end of the previous text.
    const char *end;
    /// libmicrohttpd's copy of the first cookie.
    const char *mark;
    size_t records;
};

// Returns true for `least` to `limit` zeros, which replace the end of a line.
static inline bool usher_is_line_end(const char *from, const char *to, size_t least, size_t limit) {
    size_t size = (uintptr_t)to - (uintptr_t)from;
    if (size < least || size > limit) return false;
    for (size_t index = 0; index < size; index++) {
        if (from[index]) return false;
    }
    return true;
}

static inline bool usher_is_blank(char character) { return character == ' ' || character == '\t'; }

// Returns true for a zero, which replaces the colon, followed by blanks.
static inline bool usher_is_separator(const char *from, const char *to) {
    if ((uintptr_t)to <= (uintptr_t)from) return false;
    for (const char *at = from + 1; at < to; at++) {
        if (!usher_is_blank(*at)) return false;
    }
    return true;
}

static inline bool usher_is_padded(const char *name, size_t name_size, const char *value, size_t value_size) {
    if (value_size == 0 || !usher_is_blank(value[value_size - 1])) return false;
    return (name_size == 17 && strncasecmp(name, "Transfer-Encoding", 17) == 0) ||
        (name_size == 6 && strncasecmp(name, "Expect", 6) == 0);
}

static inline uint8_t *usher_copy_text(uint8_t *to, const char *text, size_t size) {
    if (size > 0) memcpy(to, text, size);
    to[size] = 0;
    return to + size + 1;
}

static inline enum MHD_Result usher_walk_field(
    void *context, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value, size_t value_size) {
    struct usher_walk *walk = context;
    if (kind == MHD_COOKIE_KIND) {
        walk->mark = name;
        return MHD_YES;
    }
    walk->records++;
    // This is the field that `usher_mark_memory` added, which is outside of the head. A folded field of the client may
    // be outside, too; the folded field is then noticed because it is missing at its place in the head.
    if (walk->records == 1 && (name < walk->start || name >= walk->limit)) return MHD_YES;
    if (!usher_is_line_end(walk->end, name, 1, 2) || !usher_is_separator(name + name_size, value)) {
        walk->head.has_hidden_text = true;
        return MHD_NO;
    }
    walk->end = value + value_size;
    if (usher_is_padded(name, name_size, value, value_size)) walk->head.has_padded_value = true;
    size_t size = 6 + name_size + value_size;
    walk->head.is_whole = name_size <= UINT16_MAX && value_size <= UINT16_MAX && size <= walk->room;
    if (!walk->head.is_whole) return MHD_NO;
    uint8_t *next = walk->next;
    *next++ = name_size & 0xFF;
    *next++ = name_size >> 8;
    *next++ = value_size & 0xFF;
    *next++ = value_size >> 8;
    next = usher_copy_text(next, name, name_size);
    walk->next = usher_copy_text(next, value, value_size);
    walk->room -= size;
    return MHD_YES;
}

// Bytes that arrived with a head follow it: up to the middle of the memory, or, if the buffer was enlarged for the
// head, up to one step beyond the head. Whatever has arrived, there must be room for the response's head.
static inline bool usher_has_room(const struct usher_walk *walk, const char *end, size_t memory) {
    size_t step = memory < 16384 ? 144 : memory / 16 + 1024;
    size_t records = usher_record_size * (walk->records + 2);
    return walk->mark && walk->mark > end &&
        (size_t)(walk->mark - end) >= usher_record_size + step + usher_answer_room &&
        memory / 2 >= records + usher_answer_room;
}

/// Copies the fields of a head, and examines what libmicrohttpd does not report: the text between the fields, and how
/// much memory is left.
///
/// libmicrohttpd cuts a text at a NUL, and joins a folded line to the name before it. But names and values stay at
/// their original places, so the text between two of them must be exactly what separates two fields.
static inline struct usher_head usher_read_head(
    struct MHD_Connection *connection, struct usher_line line, size_t memory, uint8_t *to, size_t room) {
    struct usher_walk walk = {.head = {.is_whole = true}, .next = to, .room = room};
    walk.end = line.version + strlen(line.version);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (!info || !to) return walk.head;
    const char *end = line.method + info->header_size;
    walk.start = line.method;
    walk.limit = end;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND | MHD_COOKIE_KIND, usher_walk_field, &walk);
    walk.head.size = (size_t)(walk.next - to);
    bool is_line_whole = (uintptr_t)line.method + strlen(line.method) + 1 == line.target &&
        line.target + line.target_size + 1 == (uintptr_t)line.version;
    if (!is_line_whole || !usher_is_line_end(walk.end, end, 2, 4)) walk.head.has_hidden_text = walk.head.is_whole;
    walk.head.has_room = usher_has_room(&walk, end, memory);
    return walk.head;
}
