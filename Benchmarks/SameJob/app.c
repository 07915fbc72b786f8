#include "app.h"

static void encode_nothing(struct buffer *json) { BUFFER_ADD(json, "{}"); }

static const struct screen_type start_screen = {
    .name = TEXT("start"),
    .events = {TEXT("startApp")},
    .schemas = TEXT("{\"startApp\":{}}"),
    .encode = encode_nothing};

static const struct screen_type login_screen = {
    .name = TEXT("login"),
    .events = {TEXT("login")},
    .schemas = TEXT("{\"login\":{}}"),
    .encode = encode_nothing};

static const struct screen_type main_screen = {
    .name = TEXT("main"),
    .events = {TEXT("profileEdit")},
    .schemas = TEXT("{\"profileEdit\":{}}"),
    .encode = encode_nothing};

// Lets the user log in, and finishes when the user has logged in.

static void login_event(struct tree *tree, struct coordinator *me, size_t event) {
    (void)event;
    tree_finish(tree, me);
}

static void login_start(struct tree *tree, struct coordinator *me) { tree_push(tree, me, &login_screen, login_event); }

static const struct coordinator_type login_type = {TEXT("login"), sizeof(struct coordinator), login_start};

// Shows the main screen; changing the profile asks for the login again.

static void main_event(struct tree *tree, struct coordinator *me, size_t event) {
    (void)event;
    tree_start(tree, me, &login_type, NULL);
}

static void main_start(struct tree *tree, struct coordinator *me) { tree_push(tree, me, &main_screen, main_event); }

static const struct coordinator_type main_type = {TEXT("main"), sizeof(struct coordinator), main_start};

// Welcomes the user, and shows the main screen as soon as the user has logged in.

struct start_coordinator {
    struct coordinator base;
    bool is_logged_in;
};

static void login_ended(struct tree *tree, struct coordinator *me, enum outcome outcome) {
    if (outcome != FINISHED) return;
    ((struct start_coordinator *)me)->is_logged_in = true;
    tree_start(tree, me, &main_type, NULL);
}

static void start_event(struct tree *tree, struct coordinator *me, size_t event) {
    (void)event;
    if (((struct start_coordinator *)me)->is_logged_in) tree_start(tree, me, &main_type, NULL);
    else tree_start(tree, me, &login_type, login_ended);
}

static void start_start(struct tree *tree, struct coordinator *me) { tree_push(tree, me, &start_screen, start_event); }

static const struct coordinator_type start_type = {TEXT("start"), sizeof(struct start_coordinator), start_start};

// Sets the root of the window.

struct app_coordinator {
    struct coordinator base;
    bool is_logged_in;
};

static void root_start(struct tree *tree, struct coordinator *me) {
    struct coordinator *started = tree_make(tree, me, &start_type, NULL);
    ((struct start_coordinator *)started)->is_logged_in = ((struct app_coordinator *)me)->is_logged_in;
    start_type.start(tree, started);
}

static const struct coordinator_type root_type = {TEXT("app"), sizeof(struct app_coordinator), root_start};

void app_start(struct tree *tree, bool is_logged_in) {
    struct coordinator *root = tree_make(tree, NULL, &root_type, NULL);
    ((struct app_coordinator *)root)->is_logged_in = is_logged_in;
    root_type.start(tree, root);
}
