// The journal in memory: each session's entries, in usher's format.

#pragma once

#include "key.h"

/// The kinds of payloads.
enum entry_kind { ENTRY_CREATION = 1, ENTRY_INPUT = 2 };

/// The next free ids of a tree.
struct free_ids {
    uint64_t screen, coordinator;
};

/// An accepted input, with the values that a replay must reproduce.
struct entry {
    enum entry_kind kind;
    uint64_t revision;
    /// Milliseconds since 1970.
    uint64_t time;
    struct free_ids before, after;
    /// The digest of the tree after the input.
    uint64_t digest;
    /// The name and id of the visible screen after the input, for people.
    struct text visible;
    uint64_t visible_id;
    struct text payload;
};

/// Creates the locks; call this function before a second thread starts.
void journal_prepare(void);

/// Stores an entry of a session.
void journal_append(struct key key, const struct entry *entry);
