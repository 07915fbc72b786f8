#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "fail.h"

uint64_t nanoseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void servers_read(struct servers *servers, const char *ports) {
    for (servers->count = 0; ports; ports = strchr(ports, ',')) {
        if (servers->count == MAXIMUM_SERVERS) FAIL("more than %d servers", MAXIMUM_SERVERS);
        ports += *ports == ',';
        servers->ports[servers->count++] = (unsigned int)strtoul(ports, NULL, 10);
    }
}

static int connected(unsigned int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) FAIL("no socket: %s", strerror(errno));
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0)
        FAIL("cannot connect to port %u: %s", port, strerror(errno));
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return made;
}

void connection_open(struct connection *connection, const struct servers *servers) {
    connection->servers = servers->count;
    for (size_t i = 0; i < servers->count; i++) connection->sockets[i] = connected(servers->ports[i]);
}

void connection_send(struct connection *connection, const char *method, const char *path, const char *body) {
    char request[REQUEST_CAPACITY];
    int length = snprintf(
        request, sizeof request,
        "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", method,
        path, body ? strlen(body) : 0, body ? body : "");
    if (length < 0 || (size_t)length >= sizeof request) FAIL("a request of more than %zu bytes", sizeof request);
    connection->received = connection->expected = 0;
    connection->server = (connection->server + 1) % connection->servers;
    connection->sent_at = nanoseconds_now();
    if (send(connection->sockets[connection->server], request, (size_t)length, MSG_NOSIGNAL) != length)
        FAIL("a request could not be sent: %s", strerror(errno));
}

const char *connection_field(const struct connection *connection, const char *name) {
    size_t length = strlen(name);
    const char *line = strstr(connection->answer, "\r\n");
    for (; line && strncmp(line, "\r\n\r\n", 4) != 0; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':')
            return line + 3 + length + strspn(line + 3 + length, " ");
    return NULL;
}

/// Parses the head for the size of the whole answer.
static void read_head(struct connection *connection) {
    const char *end = strstr(connection->answer, "\r\n\r\n");
    if (!end) return;
    const char *length = connection_field(connection, "Content-Length");
    connection->status = atoi(connection->answer + strlen("HTTP/1.1 "));
    if (!length && connection->status != 204) FAIL("an answer without a length: %s", connection->answer);
    connection->expected = (size_t)(end + 4 - connection->answer) + (length ? strtoul(length, NULL, 10) : 0);
    if (connection->expected > ANSWER_CAPACITY) FAIL("an answer of %zu bytes", connection->expected);
}

int connection_receive(struct connection *connection) {
    ssize_t count = recv(
        connection->sockets[connection->server], connection->answer + connection->received,
        ANSWER_CAPACITY - connection->received, 0);
    if (count <= 0) FAIL("the server has closed a connection: %s", count < 0 ? strerror(errno) : "end of file");
    connection->received += (size_t)count;
    connection->answer[connection->received] = 0;
    if (connection->expected == 0) read_head(connection);
    return connection->expected > 0 && connection->received >= connection->expected;
}
