// Reports continuations that are resumed before they're awaited to the thread sanitizer. tsan.sh preloads it.
//
// Swift's runtime reports to the sanitizer that a resumption happens before the task continues: it releases at the resumption and
// acquires when the task continues. But if the task isn't suspended yet, it continues on its thread without acquiring, and the
// sanitizer reports uses of the value as races (Swift 6.3.1; see Probe.swift). The awaiting function can't be interposed, because
// the runtime calls it directly. Its caller then frees a frame, where this file acquires: for the same task, and at most one call
// too early, between the resumption and the suspension.

#define _GNU_SOURCE
#include <dlfcn.h>

// Null in programs that aren't built with the sanitizer.
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
