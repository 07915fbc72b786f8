// The lower bound for usher: libmicrohttpd alone, with usher's settings (one epoll thread per core, a memory pool of 8
// KiB per connection). The server reads each POST body and answers a constant; the server has no sessions.
//
//     bare PORT THREADS        prints "bare: listening on http://127.0.0.1:PORT"; port 0 selects a free port

#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_LIMIT = 1024, ANSWER_SIZE = 600, CONNECTION_MEMORY = 8 * 1024 };

/// The body of a request, which is the only allocation of a request.
struct body {
    size_t count;
    char bytes[BODY_LIMIT];
};

static char answer[ANSWER_SIZE];
static struct MHD_Response *constant;

/// A JSON object of exactly `ANSWER_SIZE` bytes.
static void make_answer(void) {
    static const char start[] = "{\"answer\":\"", end[] = "\"}";
    memset(answer, 'x', sizeof answer);
    memcpy(answer, start, sizeof start - 1);
    memcpy(answer + sizeof answer - (sizeof end - 1), end, sizeof end - 1);
    constant = MHD_create_response_from_buffer(sizeof answer, answer, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(constant, "Content-Type", "application/json");
}

static enum MHD_Result on_request(
    void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *part, size_t *size, void **slot) {
    struct body *body = *slot;
    if (!body) {
        *slot = body = malloc(sizeof *body);
        if (!body) return MHD_NO;
        body->count = 0;
        return MHD_YES;
    }
    if (*size == 0) return MHD_queue_response(connection, MHD_HTTP_OK, constant);
    if (*size > sizeof body->bytes - body->count) return MHD_NO;
    memcpy(body->bytes + body->count, part, *size);
    body->count += *size;
    *size = 0;
    return MHD_YES;
}

static void on_completion(
    void *context, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode reason) {
    free(*slot);
    *slot = NULL;
}

static struct MHD_Daemon *start(uint16_t port, unsigned int threads) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, port, NULL, NULL, on_request, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_NOTIFY_COMPLETED, on_completion, NULL,
        // libmicrohttpd refuses a pool of one thread; the last option is then the end of the list.
        threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, threads, MHD_OPTION_END);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "bare: usage: bare PORT THREADS\n");
        return 2;
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);  // The daemon's threads inherit the mask.
    make_answer();
    struct MHD_Daemon *daemon = start((uint16_t)atoi(arguments[1]), (unsigned int)atoi(arguments[2]));
    if (!daemon) {
        fprintf(stderr, "bare: cannot listen on port %s\n", arguments[1]);
        return 1;
    }
    printf("bare: listening on http://127.0.0.1:%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    int ending;
    sigwait(&ends, &ending);
    MHD_stop_daemon(daemon);
    MHD_destroy_response(constant);
    return 0;
}
