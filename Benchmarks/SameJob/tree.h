// The engine: a tree of coordinators, each an object of its own, and the stack of the screens that they show.

#pragma once

#include <stdbool.h>

#include "buffer.h"

enum { SCREEN_EVENTS = 4 };

struct tree;
struct coordinator;

/// How a coordinator ends: by itself, or because nothing of it is left to be seen.
enum outcome { FINISHED, CANCELLED };

/// A kind of screen, as an app's author writes it.
struct screen_type {
    struct text name;
    /// The names of its events, and their schemas as JSON.
    struct text events[SCREEN_EVENTS];
    struct text schemas;
    void (*encode)(struct buffer *json);
};

/// A kind of coordinator, as an app's author writes it; its objects begin with a `struct coordinator`.
struct coordinator_type {
    struct text name;
    size_t size;
    void (*start)(struct tree *tree, struct coordinator *me);
};

struct screen {
    uint64_t id;
    struct coordinator *owner;
    const struct screen_type *type;
    void (*on_event)(struct tree *tree, struct coordinator *owner, size_t event);
    /// Its share of the stack's JSON, and the stack's digest with it.
    size_t size;
    uint64_t digest_after;
};

struct coordinator {
    const struct coordinator_type *type;
    uint64_t id;
    struct coordinator *parent, *children, *next_sibling;
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome);
    size_t screens;
    bool has_shown, is_leaving;
    uint64_t digest;
    /// The names from the root down, behind the object.
    struct text path;
};

struct tree {
    struct coordinator *root;
    struct screen **screens;
    size_t screens_count, screens_capacity;
    /// JSON of the first screens, each with a comma behind it, and how many there are in it.
    struct buffer json;
    size_t encoded;
    /// The transitions of the input, as JSON with commas behind them.
    struct buffer changes;
    uint64_t next_screen, next_coordinator;
    /// The digests of all coordinators, combined without an order.
    uint64_t coordinators_digest;
    /// The one that was left with a child less.
    struct coordinator *deserted;
};

/// Makes a coordinator below a parent and starts it; without a parent it is the root.
struct coordinator *tree_start(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome));

/// The same without starting it, for an author who hands it something first.
struct coordinator *tree_make(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome));

/// Shows a screen on top.
void tree_push(
    struct tree *tree, struct coordinator *owner, const struct screen_type *type,
    void (*on_event)(struct tree *tree, struct coordinator *owner, size_t event));

/// Ends a coordinator with all below it, and tells its parent.
void tree_finish(struct tree *tree, struct coordinator *coordinator);

/// Hands an event to the visible screen, and ends whom it leaves with nothing to show; returns false where the screen
/// has no event of that name.
bool tree_handle(struct tree *tree, struct text event);

/// Encodes the screens that have come.
void tree_encode(struct tree *tree);

/// A digest of the stack and the coordinators; all screens are encoded.
uint64_t tree_digest(const struct tree *tree);

const struct screen *tree_visible(const struct tree *tree);
