// Tells the thread sanitizer about continuations that are resumed before they are awaited. tsan.sh loads it before the tests.
//
// Swift's concurrency runtime reports to the sanitizer that a resumption happens before the task continues. If the task hasn't
// been suspended yet, though, it continues on its own thread without the second half of that report, and the sanitizer takes
// each use of the value for a race (Swift 6.3.1; Probe.swift shows it). The function that awaits can't be replaced, since the
// runtime calls it directly. But its caller then frees its frame, which adds the second half here: for the same task, and at most
// one call too early, between the resumption and the suspension.

#define _GNU_SOURCE
#include <dlfcn.h>

// Null in a program that isn't built for the sanitizer.
void __tsan_acquire(void *) __attribute__((weak));

typedef __attribute__((swiftcall)) void free_function(void *frame);
typedef __attribute__((swiftcall)) void *current_function(void);

static free_function *swift_free;
static current_function *swift_current_task;

__attribute__((constructor)) static void find(void) {
    swift_free = (free_function *)dlsym(RTLD_NEXT, "swift_task_dealloc");
    swift_current_task = (current_function *)dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
}

__attribute__((swiftcall)) void swift_task_dealloc(void *frame) {
    if (__tsan_acquire) __tsan_acquire(swift_current_task());
    swift_free(frame);
}
