#include "walk.h"

#include <string.h>

#include "fail.h"

/// The length of an event with a screen's id and a small payload; shorter events are padded with spaces.
enum { EVENT_LENGTH = 89, LINE_LENGTH = 4096 };

static char *filled_up(const char *event) {
    size_t length = strlen(event), blanks = length < EVENT_LENGTH ? EVENT_LENGTH - length : 0;
    char *result = malloc(length + blanks + 1);
    if (!result) FAIL("out of memory");
    result[0] = event[0];
    memset(result + 1, ' ', blanks);
    memcpy(result + 1 + blanks, event + 1, length);
    return result;
}

static void add(struct walk *walk, const char *path, const char *word, const char *json) {
    if (json[0] != '{') FAIL("%s: no object after \"%s\"", path, word);
    if (strcmp(word, "open") == 0) {
        walk->opening = strdup(json);
        return;
    }
    int once = strcmp(word, "once") == 0;
    if (!once && strcmp(word, "cycle") != 0) FAIL("%s: \"%s\" is none of open, once and cycle", path, word);
    if (once && walk->once < walk->events_count) FAIL("%s: \"once\" stands behind \"cycle\"", path);
    if (walk->events_count == WALK_EVENTS) FAIL("%s: more than %d events", path, WALK_EVENTS);
    walk->events[walk->events_count++] = filled_up(json);
    if (once) walk->once = walk->events_count;
}

void walk_read(struct walk *walk, const char *path) {
    char line[LINE_LENGTH];
    FILE *file = fopen(path, "r");
    if (!file) FAIL("%s cannot be read", path);
    memset(walk, 0, sizeof *walk);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || line[0] == 0) continue;
        char *json = strchr(line, ' ');
        if (!json) FAIL("%s: \"%s\" has no object", path, line);
        *json = 0;
        add(walk, path, line, json + 1);
    }
    fclose(file);
    if (!walk->opening || walk->once == walk->events_count) FAIL("%s: it needs \"open\" and \"cycle\"", path);
}

const char *walk_event(const struct walk *walk, size_t n) {
    if (n < walk->once) return walk->events[n];
    return walk->events[walk->once + (n - walk->once) % (walk->events_count - walk->once)];
}
