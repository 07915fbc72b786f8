// The head of a request: its target and its fields, and what of them is refused.
//
// What usher does for fields that no event of the load has is left out: requests with these are refused.

#pragma once

#include <microhttpd.h>

#include "key.h"

enum { BODY_LIMIT = 64 * 1024 };

enum route { ROUTE_NONE, ROUTE_SESSIONS, ROUTE_EVENTS };

struct request {
    enum route route;
    /// The session of an event.
    struct key session;
    /// Set once the head has been checked; what follows are parts of the body.
    bool has_head;
};

/// Reads the target of the request line, before anything of it is unescaped.
void request_read_target(struct request *request, const char *target);

/// Checks all but the body; returns 0, or the status with which it is refused.
unsigned request_check_head(
    const struct request *request, struct MHD_Connection *connection, const char *method, const char *version);
