// Sessions: a tree with a lock and a revision; and the table of all sessions.

#pragma once

#include "journal.h"

struct session;

/// Creates the locks; call this function before a second thread starts.
void sessions_prepare(void);

/// Opens a session, and writes its state; stores `opening` as the payload of the first entry.
struct key session_open(bool is_logged_in, struct text opening, struct buffer *answer);

/// Returns a session, or NULL if no session has the key.
struct session *session_find(struct key key);

/// Lets a session handle an event, writes its new state, and returns its revision; returns 0 if the visible screen has no
/// such event.
uint64_t session_handle(struct session *session, struct text event, struct buffer *answer);
