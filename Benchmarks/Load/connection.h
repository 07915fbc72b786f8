// A kept-alive connection with one request at a time. If there are several servers, the connection has a socket to each
// server, and uses the sockets in turn.

#include <stddef.h>
#include <stdint.h>

enum { REQUEST_CAPACITY = 8 * 1024, ANSWER_CAPACITY = 256 * 1024, MAXIMUM_SERVERS = 8 };

/// The ports of the servers on this machine, which are used in turn.
struct servers {
    size_t count;
    unsigned int ports[MAXIMUM_SERVERS];
};

struct connection {
    /// A socket to each server, and the index of the socket with the current request.
    int sockets[MAXIMUM_SERVERS];
    size_t servers, server;
    /// The session of the current request; set by the owner of the connection.
    size_t session;
    uint64_t sent_at;
    /// The number of bytes received of the answer.
    size_t received;
    /// The size of the whole answer in bytes; 0 until the head has arrived.
    size_t expected;
    int status;
    char answer[ANSWER_CAPACITY + 1];
};

/// Parses ports that are separated by commas.
void servers_read(struct servers *servers, const char *ports);

/// Connects to the servers; waits until they accept connections.
void connection_open(struct connection *connection, const struct servers *servers);

/// Sends a request to the next server, with a JSON body unless `body` is NULL.
void connection_send(struct connection *connection, const char *method, const char *path, const char *body);

/// Reads the available bytes.
///
/// Returns 1 when the answer is complete; `status` and `answer`, which ends with a zero, then contain the answer.
int connection_receive(struct connection *connection);

/// Returns the value of a field in an answer's head, or NULL; the value ends with "\r".
const char *connection_field(const struct connection *connection, const char *name);

uint64_t nanoseconds_now(void);
