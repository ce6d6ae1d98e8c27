// Reports the slow paths of Synchronization.Mutex on Linux to the thread sanitizer. tsan.sh preloads it.
//
// An uncontended Mutex is locked and unlocked by an inlined atomic exchange, which the sanitizer sees. A contended one uses
// `_MutexHandle._lockSlow` and `_unlockSlow` of libswiftSynchronization. That library isn't built with the sanitizer, which
// therefore reports false races. This file interposes both functions and adds an acquire after locking and a release before
// unlocking, per mutex, as the sanitizer does for a pthread_mutex_t. It hides no races.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Null in programs that aren't built with the sanitizer.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift's calling convention; the handle is `self`.
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
