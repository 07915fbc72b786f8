// A connection that is kept alive: one request, then its answer.

#include <stddef.h>
#include <stdint.h>

enum { REQUEST_CAPACITY = 8 * 1024, ANSWER_CAPACITY = 256 * 1024 };

struct connection {
    int socket;
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

/// Connects to a port of this machine, and waits for it.
void connection_open(struct connection *connection, unsigned int port);

/// Sends a request with a JSON body, or without one where `body` is NULL.
void connection_send(struct connection *connection, const char *method, const char *path, const char *body);

/// Reads what is there.
///
/// Returns 1 when the answer is complete; `status` and `answer`, which ends with a zero, are then its own.
int connection_receive(struct connection *connection);

/// The value of a field in an answer's head, or NULL; it ends with "\r".
const char *connection_field(const struct connection *connection, const char *name);

uint64_t nanoseconds_now(void);
