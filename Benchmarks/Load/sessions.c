#include "sessions.h"

#include "fail.h"

void sessions_make(struct sessions *sessions, size_t count) {
    sessions->count = count;
    sessions->all = calloc(count, sizeof *sessions->all);
    if (!sessions->all) FAIL("out of memory");
}

static size_t lines(FILE *file) {
    size_t count = 0;
    for (int byte; (byte = getc_unlocked(file)) != EOF;) count += byte == '\n';
    rewind(file);
    return count;
}

void sessions_read(struct sessions *sessions, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) FAIL("%s cannot be read", path);
    sessions_make(sessions, lines(file));
    for (size_t i = 0; i < sessions->count; i++) {
        struct session *session = &sessions->all[i];
        if (fscanf(file, "%32s %u\n", session->id, &session->events) != 2) FAIL("%s: line %zu is damaged", path, i + 1);
    }
    fclose(file);
    if (sessions->count == 0) FAIL("%s: no session", path);
}

void sessions_write(const struct sessions *sessions, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) FAIL("%s cannot be written", path);
    for (size_t i = 0; i < sessions->count; i++)
        fprintf(file, "%s %u\n", sessions->all[i].id, sessions->all[i].events);
    if (fclose(file) != 0) FAIL("%s cannot be written", path);
}
