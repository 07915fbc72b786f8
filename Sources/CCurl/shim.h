#pragma once
#include <curl/curl.h>

// libcurl's variadic functions cannot be called from Swift; these can.

static inline CURLcode usher_curl_set_number(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets a text, which libcurl copies.
static inline CURLcode usher_curl_set_text(CURL *easy, CURLoption option, const char *text) {
    return (curl_easy_setopt)(easy, option, text);
}

/// Sets the body that is sent; libcurl copies it.
static inline CURLcode usher_curl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = (curl_easy_setopt)(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    // A null pointer would mean a body that is read from a callback.
    return code ? code : (curl_easy_setopt)(easy, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}

/// Sets the header fields that are sent; libcurl does not copy the list.
static inline CURLcode usher_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return (curl_easy_setopt)(easy, CURLOPT_HTTPHEADER, headers);
}

/// Allows http and https, and nothing else.
static inline CURLcode usher_curl_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Where what comes goes: the response's head through one function, its body through another.
static inline CURLcode usher_curl_set_receivers(
    CURL *easy, curl_write_callback on_head, curl_write_callback on_body, void *context) {
    CURLcode code = (curl_easy_setopt)(easy, CURLOPT_HEADERFUNCTION, on_head);
    if (!code) code = (curl_easy_setopt)(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = (curl_easy_setopt)(easy, CURLOPT_WRITEFUNCTION, on_body);
    return code ? code : (curl_easy_setopt)(easy, CURLOPT_WRITEDATA, context);
}

/// The status of the response; 0 before there is one.
static inline long usher_curl_status(CURL *easy) {
    long status = 0;
    return (curl_easy_getinfo)(easy, CURLINFO_RESPONSE_CODE, &status) ? 0 : status;
}

static inline CURLMcode usher_curl_limit_connections(CURLM *multi, long count) {
    return (curl_multi_setopt)(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, count);
}

/// The next transfer that has come to its end; NULL when there is none.
static inline CURL *usher_curl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));)
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    return NULL;
}
