// A strict parser of JSON (RFC 8259), which makes one pass and writes a tape of tokens. Like usher's parser, this
// parser refuses duplicate members (RFC 7493) and more than 64 levels.
//
// It has two limits that usher's parser lacks: at most 64 tokens in a text, which is enough for this app's inputs, and
// names of members without escapes, because names are compared as they are written.

#pragma once

#include <stdbool.h>

#include "buffer.h"

enum { JSON_TOKENS = 64, JSON_DEPTH = 64 };

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL };

/// A value or a member's name.
///
/// The tokens of a container's contents follow the container's token; `next` is the token after the contents.
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

/// Parses a whole text; returns false if it is not JSON. The first token is the text's value.
bool json_read(struct json *json, struct text text);

/// Returns the value of an object's member, or NULL.
const struct json_token *json_member(const struct json *json, const struct json_token *object, struct text name);

/// Returns the number of an object's members.
size_t json_members(const struct json *json, const struct json_token *object);

/// Returns the characters between a string's quotation marks, with its escapes unchanged.
struct text json_string(const struct json *json, const struct json_token *string);

/// Returns a value's text, unchanged.
struct text json_text(const struct json *json, const struct json_token *value);
