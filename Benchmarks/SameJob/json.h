// A strict reader of JSON (RFC 8259): one pass, to a tape of tokens over the bytes. As usher's it refuses duplicate
// members (RFC 7493) and more than 64 levels.
//
// It takes less than usher's in two things: a text has at most 64 tokens, for no input of this app has more, and the
// names of members have no escapes, for they are compared as they are written.

#pragma once

#include <stdbool.h>

#include "buffer.h"

enum { JSON_TOKENS = 64, JSON_DEPTH = 64 };

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL };

/// A value or a member's name. What a container holds follows it; `next` is the token behind all that.
struct json_token {
    uint8_t kind;
    bool is_escaped;
    uint16_t next;
    uint32_t start, end;
};

struct json {
    const char *bytes;
    size_t count;
    struct json_token tokens[JSON_TOKENS];
};

/// Reads a whole text; returns false for one that is not JSON. The first token is its value.
bool json_read(struct json *json, struct text text);

/// The value of an object's member, or NULL.
const struct json_token *json_member(const struct json *json, const struct json_token *object, struct text name);

/// The number of an object's members.
size_t json_members(const struct json *json, const struct json_token *object);

/// The characters of a string without its quotation marks, escapes as they are written.
struct text json_string(const struct json *json, const struct json_token *string);

/// A value as it is written.
struct text json_text(const struct json *json, const struct json_token *value);
