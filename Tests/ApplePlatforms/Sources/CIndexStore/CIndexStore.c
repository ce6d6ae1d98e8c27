// The required declarations of indexstore.h, because toolchains include libIndexStore but not always its header. The library is
// loaded at run time, because its folder depends on the toolchain.

#include "CIndexStore.h"

#include <dlfcn.h>
#include <stdint.h>

typedef void *(*CreateStore)(const char *path, void *error);
typedef void *(*CreateReader)(void *store, const char *record, void *error);
typedef void (*Dispose)(void *object);
typedef bool (*ApplyOccurrences)(void *reader, void *context, bool (*body)(void *context, void *occurrence));
typedef uint64_t (*GetRoles)(void *occurrence);
typedef void *(*GetSymbol)(void *occurrence);
typedef void (*GetPosition)(void *occurrence, unsigned *line, unsigned *column);
typedef IndexText (*GetText)(void *symbol);

enum { REFERENCE = 1 << 2 };

struct Visit {
    void *library;
    void *context;
    void (*body)(void *, IndexText, IndexText, unsigned);
};

static bool visit(void *context, void *occurrence) {
    struct Visit *visit = context;
    void *library = visit->library;
    if (!(((GetRoles)dlsym(library, "indexstore_occurrence_get_roles"))(occurrence) & REFERENCE)) return true;
    void *symbol = ((GetSymbol)dlsym(library, "indexstore_occurrence_get_symbol"))(occurrence);
    unsigned line = 0, column = 0;
    ((GetPosition)dlsym(library, "indexstore_occurrence_get_line_col"))(occurrence, &line, &column);
    IndexText name = ((GetText)dlsym(library, "indexstore_symbol_get_name"))(symbol);
    visit->body(visit->context, name, ((GetText)dlsym(library, "indexstore_symbol_get_usr"))(symbol), line);
    return true;
}

const char *IndexForEachReference(
    const char *path,
    const char *storePath,
    const char *record,
    void *context,
    void (*body)(void *context, IndexText name, IndexText symbol, unsigned line)
) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) return dlerror();
    void *store = ((CreateStore)dlsym(library, "indexstore_store_create"))(storePath, NULL);
    if (!store) return "The index can't be opened.";
    void *reader = ((CreateReader)dlsym(library, "indexstore_record_reader_create"))(store, record, NULL);
    if (reader) {
        struct Visit all = { library, context, body };
        ((ApplyOccurrences)dlsym(library, "indexstore_record_reader_occurrences_apply_f"))(reader, &all, visit);
        ((Dispose)dlsym(library, "indexstore_record_reader_dispose"))(reader);
    }
    ((Dispose)dlsym(library, "indexstore_store_dispose"))(store);
    return reader ? NULL : "A record of the index can't be read.";
}
