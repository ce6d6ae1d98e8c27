// Tells the thread sanitizer about the slow ways of Synchronization.Mutex on Linux. tsan.sh has it loaded before the tests.
//
// A Mutex that nobody else holds is locked and unlocked by an atomic exchange that is inlined into the caller, where the
// sanitizer sees it. When two threads meet, `_MutexHandle._lockSlow` and `_unlockSlow` of libswiftSynchronization do it. That
// library is not built for the sanitizer, which then takes what follows for a race. Here each is followed, or preceded, by the
// sanitizer's word for the same thing. Nothing is hidden: it holds for one mutex at a time, as it does for a pthread_mutex_t.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// There in a program that is built for the sanitizer, and null in any other.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift's own calling convention; the handle is `self`.
typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *handle);

static lock_function *swift_lock;
static unlock_function *swift_unlock;

__attribute__((constructor)) static void find(void) {
    swift_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
    swift_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

lock_function lock_slow __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) {
    swift_lock(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

unlock_function unlock_slow __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
    if (__tsan_release) __tsan_release(handle);
    swift_unlock(handle);
}
