#ifdef __linux__

#define _GNU_SOURCE
#include "SlowLookups.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int begun, isOver;

int slow_lookups_wait(int count) {
    pthread_mutex_lock(&mutex);
    while (begun < count) pthread_cond_wait(&change, &mutex);
    int result = begun;
    pthread_mutex_unlock(&mutex);
    return result;
}

void slow_lookups_end(void) {
    pthread_mutex_lock(&mutex);
    isOver = 1;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
}

int slow_lookups_silence(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || inet_pton(AF_INET, "127.0.0.2", &address.sin_addr) != 1
        || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 0)) return 0;
    // The system drops further connections while the listener's queue is full.
    for (int i = 0; i < 8; i++) {
        connect(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), (struct sockaddr *)&address, sizeof address);
    }
    return 1;
}

static int endsWith(const char *text, const char *end) {
    size_t length = text ? strlen(text) : 0;
    return length >= strlen(end) && !strcmp(text + length - strlen(end), end);
}

// Interposes the C library's function in programs that link this file. It's in C because Swift can't export the symbol.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    if (!endsWith(node, ".slow")) {
        int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
        *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
        if (!next) return EAI_SYSTEM;
        if (!endsWith(node, ".pair")) return next(node, service, hints, result);
        int code = next("127.0.0.2", service, hints, result);
        return code ? code : next("127.0.0.1", service, hints, &(*result)->ai_next);
    }
    pthread_mutex_lock(&mutex);
    begun++;
    pthread_cond_broadcast(&change);
    while (!isOver) pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    return EAI_NONAME;
}

#endif
