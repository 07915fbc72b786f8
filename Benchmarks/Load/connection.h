// A connection that is kept alive: one request, then its answer. To several servers it is one to each, which take turns.

#include <stddef.h>
#include <stdint.h>

enum { REQUEST_CAPACITY = 8 * 1024, ANSWER_CAPACITY = 256 * 1024, MAXIMUM_SERVERS = 8 };

/// The ports of the servers that take turns, on this machine.
struct servers {
    size_t count;
    unsigned int ports[MAXIMUM_SERVERS];
};

struct connection {
    /// One to each server, and which of them has the request that is under way.
    int sockets[MAXIMUM_SERVERS];
    size_t servers, server;
    /// What the request is about; the owner's.
    size_t session;
    uint64_t sent_at;
    /// Of the answer, so far.
    size_t received;
    /// Of the whole answer; 0 until its head is there.
    size_t expected;
    int status;
    char answer[ANSWER_CAPACITY + 1];
};

/// Reads ports with commas between them.
void servers_read(struct servers *servers, const char *ports);

/// Connects to servers, and waits for them.
void connection_open(struct connection *connection, const struct servers *servers);

/// Sends a request with a JSON body, or without one where `body` is NULL, to the server whose turn it is.
void connection_send(struct connection *connection, const char *method, const char *path, const char *body);

/// Reads what is there.
///
/// Returns 1 when the answer is complete; `status` and `answer`, which ends with a zero, are then its own.
int connection_receive(struct connection *connection);

/// The value of a field in an answer's head, or NULL; it ends with "\r".
const char *connection_field(const struct connection *connection, const char *name);

uint64_t nanoseconds_now(void);
