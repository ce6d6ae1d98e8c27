#include <stdbool.h>
#include <stddef.h>

/// A string of the index, without a terminating NUL.
typedef struct {
    const char *_Nullable start;
    size_t length;
} IndexText;

/// Calls a function for each reference to a symbol in one record of an index store.
///
/// Returns an error message, or NULL.
const char *_Nullable IndexForEachReference(
    const char *_Nonnull library,
    const char *_Nonnull store,
    const char *_Nonnull record,
    void *_Nullable context,
    void (*_Nonnull body)(void *_Nullable context, IndexText name, IndexText symbol, unsigned line));
