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

// libmicrohttpd's variadic functions cannot be called from Swift; these can.

/// What a daemon is started with.
struct usher_daemon_settings {
    /// The socket that it accepts connections from, or -1 if it is handed each of them.
    int listen_socket;
    unsigned int threads;
    unsigned int connection_limit;
    size_t connection_memory;
    /// Handed to every callback.
    void *context;
    MHD_AccessHandlerCallback on_request;
    /// Gets the raw target; what it returns is the request's first context.
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback on_completion;
    MHD_NotifyConnectionCallback on_connection;
    MHD_LogCallback on_log;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
};

static inline struct MHD_Daemon *usher_start_daemon(const struct usher_daemon_settings *settings) {
    bool listens = settings->listen_socket >= 0;
    struct MHD_OptionItem options[] = {
        // First, for what goes wrong with the others is said to it.
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)settings->on_log, settings->context},
        {MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->on_target, settings->context},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)settings->unescape, settings->context},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->on_completion, settings->context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->on_connection, settings->context},
        {MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL},
        {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
        // Without a socket the last options are the end; and a pool of one is refused.
        {listens ? MHD_OPTION_LISTEN_SOCKET : MHD_OPTION_END, settings->listen_socket, NULL},
        {settings->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (!listens) flags |= MHD_USE_NO_LISTEN_SOCKET;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->on_request, settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// Has a response sent without chunks, and the connection closed behind it.
static inline void usher_leave_unchunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// Adds an entity tag that is a number.
static inline void usher_add_entity_tag(struct MHD_Response *response, uint64_t number) {
    char text[24] = {0};
    char *at = text + sizeof text - 1;
    *--at = '"';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    *--at = '"';
    MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, at);
}

/// A descriptor that is silent for ever; -1 if the system has none left.
static inline int usher_open_silence(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Puts silence in the place of a socket, also wherever it is waited for: the socket itself may be another process's, too,
/// and would go on being reported.
static inline void usher_silence(int descriptor, int silence, int descriptor_limit) {
    for (int epoll = 0; epoll < descriptor_limit; epoll++) epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
    if (dup2(silence, descriptor) >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Has a listening socket of TCP ignore the beginnings of connections; those that have begun can be accepted.
static inline void usher_ignore_beginnings(int socket) {
    // Byte 13 of a segment's head has its flags: a connection begins with SYN without ACK.
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

/// Has a listening socket take connections again.
static inline void usher_take_beginnings(int socket) {
    int none = 0;
    setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
}

/// The socket of a connection, or -1.
static inline int usher_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// Writes the address of a connection's other end as version 6 has it, in the network's order.
///
/// False for one that has none, such as a Unix socket's.
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

/// What `on_connection` stored for a connection, or NULL.
static inline void *usher_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Takes a connection from a listening socket and hands it to a daemon.
///
/// False if none waits, or there is no descriptor for it.
static inline bool usher_accept_for(struct MHD_Daemon *daemon, int listen_socket) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int accepted = accept4(listen_socket, (struct sockaddr *)&address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) return false;
    // One that it does not take is closed by it.
    return MHD_add_connection(daemon, accepted, (struct sockaddr *)&address, size) == MHD_YES;
}

/// The bytes that have come to a socket and were not read.
static inline int usher_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/// Watches a socket for its peer saying that it sends no more; `tag` comes with the event.
static inline bool usher_watch_hang_up(int watch, int descriptor, uint64_t tag) {
    // Once only: what is done about it, the end of reading, would be told as another change.
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = tag};
    return epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

/// Watches a socket no more: where another descriptor of it stays open, closing this one would not end the watch.
static inline void usher_unwatch(int watch, int descriptor) {
    epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL);
}

/// Waits for events, at most `capacity`; gives their tags.
static inline int usher_wait_for_hang_ups(int watch, uint64_t *tags, int capacity, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(watch, events, capacity < 64 ? capacity : 64, milliseconds);
    for (int index = 0; index < count; index++) tags[index] = events[index].data.u64;
    return count;
}

// A connection's memory. libmicrohttpd has the head at its beginning, where names and values are cut out in place, one
// record a field at its end, and builds the answer's head in between.

/// The room that an answer's head has for certain.
enum { usher_answer_room = 1024 };

// A field's record, as aligned there.
enum { usher_record_size = 64 };

/// Puts a cookie before all fields of a request; to be called with its request line.
///
/// The copy that libmicrohttpd makes of the first `Cookie` field then tells where the free memory ends; and it takes
/// no cookie of the client's apart, many of which would fill the memory.
static inline void usher_mark_memory(struct MHD_Connection *connection) {
    MHD_set_connection_value_n(connection, MHD_HEADER_KIND, "Cookie", 6, "x", 1);
}

/// A request line, where it lies.
struct usher_line {
    const char *method;
    uintptr_t target;
    size_t target_size;
    const char *version;
};

/// What a head shows besides the values of its fields.
struct usher_head {
    /// The fields, one behind the other: the lengths of name and value, two bytes each, then both with a zero behind.
    size_t size;
    /// All fields fitted.
    bool is_whole;
    /// There is text between the fields that belongs to none: a folded line, one that a NUL cuts, or one left out.
    bool has_hidden_text;
    /// Blanks stand behind a value that libmicrohttpd compares with them.
    bool has_padded_value;
    /// An answer's head has room, whatever has come behind this one.
    bool has_room;
};

/// What the fields of a head take when they are copied: each with its lengths and two zeros.
static inline size_t usher_fields_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    int count = MHD_get_connection_values(connection, MHD_HEADER_KIND, NULL, NULL);
    return info && count > 0 ? info->header_size + 6 * (size_t)count : 0;
}

/// The walk through a head's fields.
struct usher_walk {
    struct usher_head head;
    uint8_t *next;
    size_t room;
    /// The head's place.
    const char *start;
    const char *limit;
    /// Where the text before ends.
    const char *end;
    /// The copy of the first cookie.
    const char *mark;
    size_t records;
};

// Up to `limit` zeros, which were the ends of lines.
static inline bool usher_is_line_end(const char *from, const char *to, size_t least, size_t limit) {
    size_t size = (uintptr_t)to - (uintptr_t)from;
    if (size < least || size > limit) return false;
    for (size_t index = 0; index < size; index++) {
        if (from[index]) return false;
    }
    return true;
}

static inline bool usher_is_blank(char character) { return character == ' ' || character == '\t'; }

// A zero, which was the colon, and blanks.
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
    // Ours, which lies elsewhere; one of the client's that does, for it was folded, is missed in its place.
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

// Behind a head lies what came with it: up to the middle of the memory, or a step beyond the head, for which the buffer
// was made larger. The answer's head needs room whatever came.
static inline bool usher_has_room(const struct usher_walk *walk, const char *end, size_t memory) {
    size_t step = memory < 16384 ? 144 : memory / 16 + 1024;
    size_t records = usher_record_size * (walk->records + 2);
    return walk->mark && walk->mark > end &&
        (size_t)(walk->mark - end) >= usher_record_size + step + usher_answer_room &&
        memory / 2 >= records + usher_answer_room;
}

/// Copies the fields of a head, and looks at what libmicrohttpd does not tell: what lies between them, and how much
/// memory is left.
///
/// It cuts a text at a NUL, and glues a folded line to the name before it; but names and values stay where they came,
/// and what is between two of them must be what separates fields.
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
