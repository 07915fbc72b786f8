// The head of a request: the target and the fields, and the reasons to refuse it.
//
// Usher's handling of fields that the load never sends is left out: requests with these fields are refused.

#pragma once

#include <microhttpd.h>

#include "key.h"

enum { BODY_LIMIT = 64 * 1024 };

enum route { ROUTE_NONE, ROUTE_SESSIONS, ROUTE_EVENTS };

struct request {
    enum route route;
    /// The session of an event.
    struct key session;
    /// Set when the head was checked; the parts of the body follow.
    bool has_head;
};

/// Parses the target of the request line, before it is unescaped.
void request_read_target(struct request *request, const char *target);

/// Checks everything except the body; returns 0, or the status of a refusal.
unsigned request_check_head(
    const struct request *request, struct MHD_Connection *connection, const char *method, const char *version);
