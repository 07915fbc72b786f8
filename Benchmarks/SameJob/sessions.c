#include "sessions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <time.h>

#include "app.h"

struct session {
    struct session *next;
    struct key key;
    pthread_mutex_t lock;
    uint64_t revision;
    /// The time of the last use in milliseconds since 1970; a server that hibernates sessions would read it without the lock.
    _Atomic uint64_t used;
    struct tree tree;
};

static struct shard {
    _Alignas(64) pthread_mutex_t lock;
    struct session *chains[CHAINS];
} shards[SHARDS];

void sessions_prepare(void) {
    for (size_t shard = 0; shard < SHARDS; shard++) pthread_mutex_init(&shards[shard].lock, NULL);
}

static uint64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// The registry.

static void register_session(struct session *session) {
    struct shard *shard = &shards[key_shard(session->key)];
    struct session **chain = &shard->chains[key_chain(session->key)];
    pthread_mutex_lock(&shard->lock);
    session->next = *chain;
    *chain = session;
    pthread_mutex_unlock(&shard->lock);
}

struct session *session_find(struct key key) {
    struct shard *shard = &shards[key_shard(key)];
    pthread_mutex_lock(&shard->lock);
    struct session *session = shard->chains[key_chain(key)];
    while (session && !key_is(session->key, key)) session = session->next;
    pthread_mutex_unlock(&shard->lock);
    return session;
}

// The state, as a client sees it.

static void add_stack(struct buffer *answer, const struct tree *tree) {
    BUFFER_ADD(answer, ",\"stack\":[");
    buffer_add(answer, buffer_text(&tree->json));
    // Only the visible screen has events, so they are inserted before the closing brace and comma of its JSON.
    answer->count -= strlen("},");
    BUFFER_ADD(answer, ",\"events\":");
    buffer_add(answer, tree_visible(tree)->type->schemas);
    BUFFER_ADD(answer, "}]");
}

static void add_changes(struct buffer *answer, const struct tree *tree) {
    BUFFER_ADD(answer, ",\"changes\":[");
    buffer_add(answer, (struct text){tree->changes.bytes, tree->changes.count - (tree->changes.count > 0)});
    BUFFER_ADD(answer, "]");
}

static void add_state(struct buffer *answer, const struct session *session) {
    const struct tree *tree = &session->tree;
    BUFFER_ADD(answer, "{\"session\":\"");
    key_add_digits(answer, session->key);
    BUFFER_ADD(answer, "\",\"app\":\"start-login-main\",\"revision\":");
    buffer_add_number(answer, session->revision);
    add_stack(answer, tree);
    BUFFER_ADD(answer, ",\"back\":");
    buffer_add(answer, tree->screens_count > 1 ? TEXT("true") : TEXT("false"));
    add_changes(answer, tree);
    BUFFER_ADD(answer, ",\"pending\":[]}");
}

// Inputs.

static struct free_ids free_ids(const struct tree *tree) {
    return (struct free_ids){tree->next_screen + 1, tree->next_coordinator + 1};
}

/// Completes an input: encodes the result, and stores the entry.
static void commit(struct session *session, enum entry_kind kind, struct free_ids before, struct text payload) {
    struct tree *tree = &session->tree;
    tree_encode(tree);
    const struct screen *visible = tree_visible(tree);
    const struct entry entry = {
        .kind = kind,
        .revision = ++session->revision,
        .time = session->used,
        .before = before,
        .after = free_ids(tree),
        .digest = tree_digest(tree),
        .visible = visible->type->name,
        .visible_id = visible->id,
        .payload = payload};
    journal_append(session->key, &entry);
}

struct key session_open(bool is_logged_in, struct text opening, struct buffer *answer) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) FAIL("out of memory");
    if (getrandom(&session->key, sizeof session->key, 0) != sizeof session->key) FAIL("no random numbers");
    pthread_mutex_init(&session->lock, NULL);
    session->used = milliseconds_now();
    struct free_ids before = free_ids(&session->tree);
    app_start(&session->tree, is_logged_in);
    commit(session, ENTRY_CREATION, before, opening);
    add_state(answer, session);
    register_session(session);
    return session->key;
}

uint64_t session_handle(struct session *session, struct text event, struct buffer *answer) {
    uint64_t revision = 0;
    pthread_mutex_lock(&session->lock);
    atomic_store_explicit(&session->used, milliseconds_now(), memory_order_relaxed);
    struct free_ids before = free_ids(&session->tree);
    if (tree_handle(&session->tree, event)) {
        // The answer's buffer is used for the payload first.
        BUFFER_ADD(answer, "{\"event\":\"");
        buffer_add(answer, event);
        BUFFER_ADD(answer, "\"}");
        commit(session, ENTRY_INPUT, before, buffer_text(answer));
        answer->count = 0;
        add_state(answer, session);
        revision = session->revision;
    }
    pthread_mutex_unlock(&session->lock);
    return revision;
}
