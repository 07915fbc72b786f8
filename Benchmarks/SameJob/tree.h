// The engine: a tree of coordinators, each a separate object, and the stack of their screens.

#pragma once

#include <stdbool.h>

#include "buffer.h"

enum { SCREEN_EVENTS = 4 };

struct tree;
struct coordinator;

/// How a coordinator ends: by itself, or because none of its screens is left.
enum outcome { FINISHED, CANCELLED };

/// A kind of screen, as the app's author writes it.
struct screen_type {
    struct text name;
    /// The names of the screen's events, and their schemas as JSON.
    struct text events[SCREEN_EVENTS];
    struct text schemas;
    void (*encode)(struct buffer *json);
};

/// A kind of coordinator, as the app's author writes it; its objects begin with a `struct coordinator`.
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
    /// The screen's share of the stack's JSON, and the stack's digest up to this screen.
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
    /// The names from the root down, stored behind the object.
    struct text path;
};

struct tree {
    struct coordinator *root;
    struct screen **screens;
    size_t screens_count, screens_capacity;
    /// The JSON of the first screens, each followed by a comma, and the number of these screens.
    struct buffer json;
    size_t encoded;
    /// The transitions of the input, as JSON with a comma after each.
    struct buffer changes;
    uint64_t next_screen, next_coordinator;
    /// The digests of all coordinators, combined without an order.
    uint64_t coordinators_digest;
    /// The coordinator that has just lost a child.
    struct coordinator *deserted;
};

/// Creates and starts a coordinator below a parent; without a parent, it is the root.
struct coordinator *tree_start(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome));

/// Creates a coordinator without starting it, so that the author can set its properties first.
struct coordinator *tree_make(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome));

/// Shows a screen on top.
void tree_push(
    struct tree *tree, struct coordinator *owner, const struct screen_type *type,
    void (*on_event)(struct tree *tree, struct coordinator *owner, size_t event));

/// Ends a coordinator with all its descendants, and informs its parent.
void tree_finish(struct tree *tree, struct coordinator *coordinator);

/// Lets the visible screen handle an event, and ends coordinators without screens; returns false if the screen
/// has no event of that name.
bool tree_handle(struct tree *tree, struct text event);

/// Encodes the new screens.
void tree_encode(struct tree *tree);

/// Returns a digest of the stack and the coordinators; all screens must be encoded.
uint64_t tree_digest(const struct tree *tree);

const struct screen *tree_visible(const struct tree *tree);
