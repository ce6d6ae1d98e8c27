// The system's libcurl, from libcurl4-openssl-dev or libcurl-devel, and zlib, from zlib1g-dev or zlib-devel. Foundation's
// URLSession on Linux uses libcurl too, and libcurl uses zlib.
//
// Swift can't call variadic C functions, so they have typed wrappers here. Macros whose types differ between versions of the
// header are constants.

#ifndef CBROWSECURL_SHIM_H
#define CBROWSECURL_SHIM_H

#if !__has_include(<curl/curl.h>)
#error "BrowseKit needs libcurl's headers on Linux. Install them: apt-get install libcurl4-openssl-dev, or dnf install libcurl-devel."
#elif !__has_include(<zlib.h>)
#error "BrowseKit needs zlib's header on Linux. Install it: apt-get install zlib1g-dev, or dnf install zlib-devel."
#else

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <zlib.h>

#if LIBCURL_VERSION_NUM < 0x074C00
#error "BrowseKit needs libcurl 7.76 or later."
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// All versions have this numeric option; the textual one requires 7.85.
static const CURLoption browse_curl_protocols_option = CURLOPT_PROTOCOLS;
static const long browse_curl_http_protocols = CURLPROTO_HTTP | CURLPROTO_HTTPS;

#pragma clang diagnostic pop

static const long browse_curl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long browse_curl_http_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long browse_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const size_t browse_curl_error_size = CURL_ERROR_SIZE;

static inline CURLcode browse_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }

static inline curl_version_info_data *browse_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

// Options of a transfer.

static inline CURLcode browse_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode browse_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode browse_curl_set_text(CURL *easy, CURLoption option, const char *text) {
    return curl_easy_setopt(easy, option, text);
}

static inline CURLcode browse_curl_set_pointer(CURL *easy, CURLoption option, const void *pointer) {
    return curl_easy_setopt(easy, option, pointer);
}

static inline CURLcode browse_curl_set_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

static inline CURLcode browse_curl_set_share(CURL *easy, CURLSH *share) {
    return curl_easy_setopt(easy, CURLOPT_SHARE, share);
}

typedef size_t browse_curl_receive(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode browse_curl_on_head(CURL *easy, void *context, browse_curl_receive *function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode browse_curl_on_body(CURL *easy, void *context, browse_curl_receive *function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

typedef int browse_curl_resolve(void *resolver, void *reserved, void *context);

static inline CURLcode browse_curl_on_resolve(CURL *easy, void *context, browse_curl_resolve *function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, context);
}

typedef curl_socket_t browse_curl_open(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode browse_curl_on_open(CURL *easy, void *context, browse_curl_open *function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

typedef int browse_curl_close(void *context, curl_socket_t descriptor);

static inline CURLcode browse_curl_on_close(CURL *easy, void *context, browse_curl_close *function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

typedef int browse_curl_connected(void *context, char *remote, char *local, int remote_port, int local_port);

// The callback runs before each request, on a new or reused connection; requires 7.80, otherwise does nothing.
static inline CURLcode browse_curl_on_connected(CURL *easy, void *context, browse_curl_connected *function) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#else
    return CURLE_OK;
#endif
}

// Information about a transfer; zero, null, or a bad socket if there is none.

static inline long browse_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t browse_curl_get_size(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline char *browse_curl_get_text(CURL *easy, CURLINFO info) {
    char *text = NULL;
    return curl_easy_getinfo(easy, info, &text) == CURLE_OK ? text : NULL;
}

static inline void *browse_curl_get_context(CURL *easy) {
    char *pointer = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK ? pointer : NULL;
}

static inline curl_socket_t browse_curl_get_socket(CURL *easy) {
    curl_socket_t descriptor = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK ? descriptor : CURL_SOCKET_BAD;
}

// The multi handle of a thread, and the data that its transfers share.

static inline CURLMcode browse_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode browse_curl_share_tls_sessions(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

// Returns the next finished transfer; null if there is none. Swift can't read the union's members.
static inline CURL *browse_curl_next_ended(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// zlib. Its macro reads the header's version and the size of the stream.
static inline int browse_gunzip_init(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

// Functions that Swift's Glibc module lacks.

static inline void browse_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name); }

static inline int browse_event_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void browse_event_signal(int descriptor) { (void)eventfd_write(descriptor, 1); }

static inline void browse_event_clear(int descriptor) {
    eventfd_t count;
    (void)eventfd_read(descriptor, &count);
}

// Waits until a transfer or the descriptor is ready.
static inline CURLMcode browse_curl_poll(CURLM *multi, int descriptor, int milliseconds, int *is_signaled) {
    struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN, .revents = 0};
    int count = 0;
    CURLMcode code = curl_multi_poll(multi, &extra, 1, milliseconds, &count);
    *is_signaled = extra.revents != 0;
    return code;
}

#endif
#endif
