// The journal in memory: the entries of each session, bytes as usher writes them.

#pragma once

#include "key.h"

/// The kinds of payloads.
enum entry_kind { ENTRY_CREATION = 1, ENTRY_INPUT = 2 };

/// The next free ids of a tree.
struct free_ids {
    uint64_t screen, coordinator;
};

/// One accepted input, with what must be the same when it is replayed.
struct entry {
    enum entry_kind kind;
    uint64_t revision;
    /// Milliseconds since 1970.
    uint64_t time;
    struct free_ids before, after;
    /// Of the tree that it led to.
    uint64_t digest;
    /// The visible screen that it led to, for people: its name and id.
    struct text visible;
    uint64_t visible_id;
    struct text payload;
};

/// Makes the locks, before there is a second thread.
void journal_prepare(void);

/// Keeps an entry of a session.
void journal_append(struct key key, const struct entry *entry);
