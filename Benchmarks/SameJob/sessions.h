// Sessions: a tree behind a lock, its revision, and the registry of all.

#pragma once

#include "journal.h"

struct session;

/// Makes the locks, before there is a second thread.
void sessions_prepare(void);

/// Opens a session, and writes its state; `opening` is kept as the first entry's payload.
struct key session_open(bool is_logged_in, struct text opening, struct buffer *answer);

/// Finds a session; returns NULL where there is none.
struct session *session_find(struct key key);

/// Hands an event to a session, writes its new state, and returns its revision; or 0 where the visible screen has no
/// such event.
uint64_t session_handle(struct session *session, struct text event, struct buffer *answer);
