#include "tree.h"

#include "digest.h"

static void *allocated(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) FAIL("out of memory");
    return memory;
}

// Coordinators.

/// Writes the path behind the coordinator's structure.
static void set_path(struct coordinator *coordinator, char *path) {
    struct coordinator *parent = coordinator->parent;
    struct text name = coordinator->type->name;
    size_t count = parent ? parent->path.count + 1 : 0;
    if (parent) {
        memcpy(path, parent->path.bytes, count - 1);
        path[count - 1] = '/';
    }
    memcpy(path + count, name.bytes, name.count);
    coordinator->path = (struct text){path, count + name.count};
}

struct coordinator *tree_make(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome)) {
    size_t path = (parent ? parent->path.count + 1 : 0) + type->name.count;
    struct coordinator *made = allocated(type->size + path);
    made->type = type;
    made->id = ++tree->next_coordinator;
    made->parent = parent;
    made->on_end = on_end;
    set_path(made, (char *)made + type->size);
    made->digest = digest_value(digest_add(digest_add_number(digest_start, made->id), made->path));
    tree->coordinators_digest ^= made->digest;
    if (parent) {
        made->next_sibling = parent->children;
        parent->children = made;
    } else {
        tree->root = made;
    }
    return made;
}

struct coordinator *tree_start(
    struct tree *tree, struct coordinator *parent, const struct coordinator_type *type,
    void (*on_end)(struct tree *tree, struct coordinator *parent, enum outcome outcome)) {
    struct coordinator *started = tree_make(tree, parent, type, on_end);
    type->start(tree, started);
    return started;
}

static void mark_leaving(struct coordinator *coordinator) {
    coordinator->is_leaving = true;
    for (struct coordinator *child = coordinator->children; child; child = child->next_sibling) mark_leaving(child);
}

static void release(struct tree *tree, struct coordinator *coordinator) {
    for (struct coordinator *child = coordinator->children, *next; child; child = next) {
        next = child->next_sibling;
        release(tree, child);
    }
    tree->coordinators_digest ^= coordinator->digest;
    free(coordinator);
}

static void take_from_parent(struct coordinator *coordinator) {
    struct coordinator **place = &coordinator->parent->children;
    while (*place != coordinator) place = &(*place)->next_sibling;
    *place = coordinator->next_sibling;
}

// The stack.

void tree_push(
    struct tree *tree, struct coordinator *owner, const struct screen_type *type,
    void (*on_event)(struct tree *tree, struct coordinator *owner, size_t event)) {
    if (tree->screens_count == tree->screens_capacity) {
        tree->screens_capacity = 2 * tree->screens_capacity + 4;
        tree->screens = realloc(tree->screens, tree->screens_capacity * sizeof *tree->screens);
        if (!tree->screens) FAIL("out of memory");
    }
    struct screen *screen = allocated(sizeof *screen);
    *screen = (struct screen){.id = ++tree->next_screen, .owner = owner, .type = type, .on_event = on_event};
    tree->screens[tree->screens_count++] = screen;
    owner->screens++;
    for (struct coordinator *shown = owner; shown && !shown->has_shown; shown = shown->parent) shown->has_shown = true;
    BUFFER_ADD(&tree->changes, "{\"push\":[");
    buffer_add_number(&tree->changes, screen->id);
    BUFFER_ADD(&tree->changes, "]},");
}

static void remove_top(struct tree *tree) {
    struct screen *top = tree->screens[--tree->screens_count];
    top->owner->screens--;
    if (tree->encoded > tree->screens_count) {
        tree->encoded = tree->screens_count;
        tree->json.count -= top->size;
    }
    buffer_add_number(&tree->changes, top->id);
    free(top);
}

static bool is_top_leaving(const struct tree *tree) {
    return tree->screens_count > 0 && tree_visible(tree)->owner->is_leaving;
}

/// Removes the screens of the coordinators that end. They are on top, because no coordinator here pushes below another's screen.
static void remove_leaving(struct tree *tree) {
    if (!is_top_leaving(tree)) return;
    BUFFER_ADD(&tree->changes, "{\"pop\":[");
    remove_top(tree);
    while (is_top_leaving(tree)) {
        BUFFER_ADD(&tree->changes, ",");
        remove_top(tree);
    }
    BUFFER_ADD(&tree->changes, "]},");
}

static void end(struct tree *tree, struct coordinator *coordinator, enum outcome outcome) {
    struct coordinator *parent = coordinator->parent;
    void (*on_end)(struct tree *, struct coordinator *, enum outcome) = coordinator->on_end;
    mark_leaving(coordinator);
    remove_leaving(tree);
    take_from_parent(coordinator);
    release(tree, coordinator);
    if (on_end) on_end(tree, parent, outcome);
    tree->deserted = parent;
}

void tree_finish(struct tree *tree, struct coordinator *coordinator) { end(tree, coordinator, FINISHED); }

// Inputs.

const struct screen *tree_visible(const struct tree *tree) { return tree->screens[tree->screens_count - 1]; }

/// The cancel rule: a coordinator ends if it has shown screens and none of them is left.
static void end_deserted(struct tree *tree) {
    while (tree->deserted) {
        struct coordinator *coordinator = tree->deserted;
        tree->deserted = NULL;
        if (coordinator->parent && coordinator->has_shown && coordinator->screens == 0 && !coordinator->children)
            end(tree, coordinator, CANCELLED);
    }
}

bool tree_handle(struct tree *tree, struct text event) {
    const struct screen *visible = tree_visible(tree);
    for (size_t index = 0; index < SCREEN_EVENTS && visible->type->events[index].count > 0; index++) {
        if (!text_is(visible->type->events[index], event)) continue;
        tree->changes.count = 0;
        visible->on_event(tree, visible->owner, index);
        end_deserted(tree);
        return true;
    }
    return false;
}

// The state.

static struct text shown(size_t place) { return place == 0 ? TEXT("root") : TEXT("push"); }

static void encode(struct tree *tree, size_t place) {
    struct screen *screen = tree->screens[place];
    struct buffer *json = &tree->json;
    size_t start = json->count;
    BUFFER_ADD(json, "{\"id\":");
    buffer_add_number(json, screen->id);
    BUFFER_ADD(json, ",\"screen\":\"");
    buffer_add(json, screen->type->name);
    BUFFER_ADD(json, "\",\"coordinator\":\"");
    buffer_add(json, screen->owner->path);
    BUFFER_ADD(json, "\",\"shown\":\"");
    buffer_add(json, shown(place));
    BUFFER_ADD(json, "\",\"state\":");
    screen->type->encode(json);
    BUFFER_ADD(json, "},");
    screen->size = json->count - start;
}

static void note_digest(struct tree *tree, size_t place) {
    struct screen *screen = tree->screens[place];
    uint64_t digest = digest_add(digest_add_number(digest_start, screen->id), screen->type->name);
    digest = digest_value(digest_add(digest_add(digest, screen->owner->path), shown(place)));
    screen->digest_after = digest_add_number(place > 0 ? tree->screens[place - 1]->digest_after : digest_start, digest);
}

void tree_encode(struct tree *tree) {
    for (; tree->encoded < tree->screens_count; tree->encoded++) {
        encode(tree, tree->encoded);
        note_digest(tree, tree->encoded);
    }
}

uint64_t tree_digest(const struct tree *tree) {
    uint64_t state = digest_add(tree_visible(tree)->digest_after, TEXT("root"));
    // No tab is selected.
    state = digest_add_number(state, (uint64_t)-1);
    return digest_value(digest_add_number(state, tree->coordinators_digest));
}
