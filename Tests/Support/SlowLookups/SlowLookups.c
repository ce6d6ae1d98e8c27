#ifdef __linux__

#define _GNU_SOURCE
#include "SlowLookups.h"
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

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

// Interposes the C library's function in programs that link this file. It's in C because Swift can't export the symbol.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    size_t length = node ? strlen(node) : 0;
    if (length < 5 || strcmp(node + length - 5, ".slow")) {
        int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
        *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
        return next ? next(node, service, hints, result) : EAI_SYSTEM;
    }
    pthread_mutex_lock(&mutex);
    begun++;
    pthread_cond_broadcast(&change);
    while (!isOver) pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    return EAI_NONAME;
}

#endif
