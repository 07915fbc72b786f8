#include "json.h"

/// A position in the text, and the tape for its tokens.
struct reader {
    struct json *json;
    const char *bytes;
    size_t position, end;
    uint16_t tokens;
};

/// Returns the byte at the position, or 0 at the end; no JSON token begins with 0.
static uint8_t peek(const struct reader *reader) {
    return reader->position < reader->end ? (uint8_t)reader->bytes[reader->position] : 0;
}

static bool pass(struct reader *reader, uint8_t byte) {
    if (peek(reader) != byte) return false;
    reader->position++;
    return true;
}

static uint64_t eight_bytes(const struct reader *reader) {
    uint64_t word;
    memcpy(&word, reader->bytes + reader->position, sizeof word);
    return word;
}

static bool has_eight_bytes(const struct reader *reader) {
    return reader->end - reader->position >= sizeof(uint64_t);
}

/// The same byte eight times.
static uint64_t repeated(uint8_t byte) { return byte * 0x0101010101010101u; }

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

static void skip_space(struct reader *reader) {
    // A text that is formatted for people may have much white space.
    while (has_eight_bytes(reader) && eight_bytes(reader) == repeated(' ')) reader->position += 8;
    while (is_space(peek(reader))) reader->position++;
}

/// Adds a token to the tape; returns NULL if there is no room.
static struct json_token *add(struct reader *reader, enum json_kind kind, size_t start) {
    if (reader->tokens == JSON_TOKENS) return NULL;
    struct json_token *token = &reader->json->tokens[reader->tokens++];
    *token = (struct json_token){(uint8_t)kind, false, reader->tokens, (uint32_t)start, (uint32_t)reader->position};
    return token;
}

// Strings (RFC 8259, section 7).

/// Returns a nonzero word if a byte is less than the value, which must be at most 128.
static uint64_t has_below(uint64_t word, uint8_t value) { return (word - repeated(value)) & ~word & repeated(0x80); }
static uint64_t has(uint64_t word, uint8_t byte) { return has_below(word ^ repeated(byte), 1); }

static bool is_plain(uint8_t byte) { return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\'; }

static void skip_plain(struct reader *reader) {
    for (; has_eight_bytes(reader); reader->position += 8) {
        uint64_t word = eight_bytes(reader);
        if (has_below(word, 0x20) | has(word, '"') | has(word, '\\') | (word & repeated(0x80))) break;
    }
    while (is_plain(peek(reader))) reader->position++;
}

/// Returns the value of four hexadecimal digits of a UTF-16 code unit, or -1.
static long code_unit(struct reader *reader) {
    long unit = 0;
    for (int digit = 0; digit < 4; digit++, reader->position++) {
        uint8_t byte = peek(reader), letter = byte | 0x20;
        if (byte >= '0' && byte <= '9') unit = unit << 4 | (byte - '0');
        else if (letter >= 'a' && letter <= 'f') unit = unit << 4 | (letter - 'a' + 10);
        else return -1;
    }
    return unit;
}

static bool escape(struct reader *reader) {
    reader->position++;
    if (peek(reader) != 'u') return peek(reader) != 0 && strchr("\"\\/bfnrt", peek(reader)) && ++reader->position;
    reader->position++;
    long unit = code_unit(reader);
    if ((unit & 0xF800) != 0xD800) return unit >= 0;
    // A surrogate must belong to a pair.
    if (unit >= 0xDC00 || !pass(reader, '\\') || !pass(reader, 'u')) return false;
    return (code_unit(reader) & ~0x3FFl) == 0xDC00;
}

/// Skips one scalar of two to four bytes (Unicode, table 3-7: well-formed UTF-8).
static bool scalar(struct reader *reader) {
    uint8_t first = peek(reader);
    if (first < 0xC2 || first > 0xF4) return false;
    int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint8_t lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    reader->position++;
    for (int place = 1; place < length; place++, lowest = 0x80, highest = 0xBF, reader->position++)
        if (peek(reader) < lowest || peek(reader) > highest) return false;
    return true;
}

static struct json_token *string(struct reader *reader) {
    size_t start = reader->position;
    bool is_escaped = false;
    if (!pass(reader, '"')) return NULL;
    for (;;) {
        skip_plain(reader);
        uint8_t byte = peek(reader);
        if (byte == '"') break;
        if (byte == '\\') is_escaped = true;
        if (byte < 0x20 || !(byte == '\\' ? escape(reader) : scalar(reader))) return NULL;
    }
    reader->position++;
    struct json_token *token = add(reader, JSON_STRING, start);
    if (token) token->is_escaped = is_escaped;
    return token;
}

// Numbers (RFC 8259, section 6) and words.

static bool digits(struct reader *reader) {
    size_t start = reader->position;
    while (peek(reader) >= '0' && peek(reader) <= '9') reader->position++;
    return reader->position > start;
}

static bool number(struct reader *reader) {
    size_t start = reader->position;
    pass(reader, '-');
    if (!pass(reader, '0') && !digits(reader)) return false;
    if (pass(reader, '.') && !digits(reader)) return false;
    if ((peek(reader) | 0x20) == 'e') {
        reader->position++;
        if (!pass(reader, '+')) pass(reader, '-');
        if (!digits(reader)) return false;
    }
    return add(reader, JSON_NUMBER, start);
}

static bool word(struct reader *reader, struct text word, enum json_kind kind) {
    size_t start = reader->position;
    if (reader->end - start < word.count || memcmp(reader->bytes + start, word.bytes, word.count) != 0) return false;
    reader->position += word.count;
    return add(reader, kind, start);
}

// Containers.

static bool value(struct reader *reader, int depth);

static bool is_duplicate(const struct reader *reader, uint16_t object, uint16_t name) {
    const struct json *json = reader->json;
    struct text text = json_text(json, &json->tokens[name]);
    for (uint16_t other = object + 1; other < name; other = json->tokens[other + 1].next)
        if (text_is(json_text(json, &json->tokens[other]), text)) return true;
    return false;
}

static bool member(struct reader *reader, uint16_t object, int depth) {
    uint16_t index = reader->tokens;
    struct json_token *name = string(reader);
    if (!name || name->is_escaped || is_duplicate(reader, object, index)) return false;
    skip_space(reader);
    if (!pass(reader, ':')) return false;
    skip_space(reader);
    return value(reader, depth);
}

static bool container(struct reader *reader, enum json_kind kind, int depth) {
    uint16_t index = reader->tokens;
    uint8_t end = kind == JSON_OBJECT ? '}' : ']';
    struct json_token *token = add(reader, kind, reader->position++);
    if (!token || depth > JSON_DEPTH) return false;
    skip_space(reader);
    if (peek(reader) != end) {
        do {
            skip_space(reader);
            if (!(kind == JSON_OBJECT ? member(reader, index, depth) : value(reader, depth))) return false;
            skip_space(reader);
        } while (pass(reader, ','));
    }
    if (!pass(reader, end)) return false;
    token->end = (uint32_t)reader->position;
    token->next = reader->tokens;
    return true;
}

static bool value(struct reader *reader, int depth) {
    switch (peek(reader)) {
    case '"': return string(reader);
    case '{': return container(reader, JSON_OBJECT, depth + 1);
    case '[': return container(reader, JSON_ARRAY, depth + 1);
    case 't': return word(reader, TEXT("true"), JSON_TRUE);
    case 'f': return word(reader, TEXT("false"), JSON_FALSE);
    case 'n': return word(reader, TEXT("null"), JSON_NULL);
    default: return number(reader);
    }
}

bool json_read(struct json *json, struct text text) {
    struct reader reader = {.json = json, .bytes = text.bytes, .end = text.count};
    if (text.count > UINT32_MAX) return false;
    json->bytes = text.bytes;
    json->count = text.count;
    skip_space(&reader);
    if (!value(&reader, 0)) return false;
    skip_space(&reader);
    return reader.position == reader.end;
}

// What is on the tape.

struct text json_text(const struct json *json, const struct json_token *value) {
    return (struct text){json->bytes + value->start, value->end - value->start};
}

struct text json_string(const struct json *json, const struct json_token *string) {
    return (struct text){json->bytes + string->start + 1, string->end - string->start - 2};
}

const struct json_token *json_member(const struct json *json, const struct json_token *object, struct text name) {
    if (object->kind != JSON_OBJECT) return NULL;
    const struct json_token *end = &json->tokens[object->next];
    for (const struct json_token *token = object + 1; token < end; token = &json->tokens[token[1].next])
        if (text_is(json_string(json, token), name)) return token + 1;
    return NULL;
}

size_t json_members(const struct json *json, const struct json_token *object) {
    size_t count = 0;
    const struct json_token *end = &json->tokens[object->next];
    if (object->kind != JSON_OBJECT) return 0;
    for (const struct json_token *token = object + 1; token < end; token = &json->tokens[token[1].next]) count++;
    return count;
}
