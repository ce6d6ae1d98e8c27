// The C functions that Embedded Swift requires. Memory is never freed, because the program ends soon.

typedef __SIZE_TYPE__ size_t;

extern unsigned char __heap_base;

int posix_memalign(void **result, size_t alignment, size_t size) {
    static size_t next;
    if (!next) next = (size_t)&__heap_base;
    next = (next + alignment - 1) & ~(alignment - 1);
    *result = (void *)next;
    next += size;
    while (next > __builtin_wasm_memory_size(0) * 65536) {
        if (__builtin_wasm_memory_grow(0, 16) == (size_t)-1) return 12;
    }
    return 0;
}

void free(void *pointer) {}

void *memset(void *target, int byte, size_t count) {
    unsigned char *bytes = target;
    while (count--) *bytes++ = byte;
    return target;
}

void *memmove(void *target, const void *source, size_t count) {
    unsigned char *to = target;
    const unsigned char *from = source;
    if (to < from) {
        while (count--) *to++ = *from++;
    } else {
        while (count--) to[count] = from[count];
    }
    return target;
}

void *memcpy(void *target, const void *source, size_t count) { return memmove(target, source, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (size_t index = 0; index < count; index++) {
        if (a[index] != b[index]) return a[index] - b[index];
    }
    return 0;
}

// Seeds of hashes; any values work.
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 42, count); }

typedef unsigned long long Word;

// The product of two 128-bit numbers, each with a low and a high word; used for overflow checks of 64-bit products.
void __multi3(Word product[2], Word aLow, Word aHigh, Word bLow, Word bHigh) {
    Word a0 = aLow & 0xFFFFFFFF, a1 = aLow >> 32, b0 = bLow & 0xFFFFFFFF, b1 = bLow >> 32;
    Word middle = a1 * b0 + (a0 * b0 >> 32);
    Word other = a0 * b1 + (middle & 0xFFFFFFFF);
    product[0] = aLow * bLow;
    product[1] = a1 * b1 + (middle >> 32) + (other >> 32) + aHigh * bLow + aLow * bHigh;
}

size_t __stack_chk_guard = 0x5BD1E995;
void __stack_chk_fail(void) { __builtin_trap(); }

__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write")))
int wasi_write(int file, const void *parts, int count, size_t *written);

int putchar(int character) {
    unsigned char byte = character;
    struct { void *start; size_t length; } part = { &byte, 1 };
    size_t written;
    wasi_write(1, &part, 1, &written);
    return character;
}

int __main_argc_argv(int, char **);
void _start(void) { __main_argc_argv(0, 0); }
