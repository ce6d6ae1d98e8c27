#include "CDesktop.h"
#include <unistd.h>

// The two functions of libdispatch for run loops of others. They are exported, but not declared: CoreFoundation's run loop calls them
// on Linux, too. Where they are missing, an executor of the main actor replaces them (`ExecutorFactory`, from the pitch "Custom Main and Global Executors"), or a thread that
// waits for the main queue and wakes the loop with `g_idle_add`.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

typedef struct {
    GSource base;
    gpointer tag;
    int fd;
} MainQueueSource;

static gboolean main_queue_check(GSource *source) {
    return (g_source_query_unix_fd(source, ((MainQueueSource *)source)->tag) & G_IO_IN) != 0;
}

static gboolean main_queue_dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    guint64 count;
    // The function below doesn't reset the event, without which the loop would spin.
    if (read(((MainQueueSource *)source)->fd, &count, sizeof count) >= 0) _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs main_queue_functions = {NULL, main_queue_check, main_queue_dispatch, NULL, NULL, NULL};

void desktop_attach_main_queue(void) {
    GSource *source = g_source_new(&main_queue_functions, sizeof(MainQueueSource));
    MainQueueSource *self = (MainQueueSource *)source;
    self->fd = _dispatch_get_main_queue_handle_4CF();
    self->tag = g_source_add_unix_fd(source, self->fd, G_IO_IN);
    g_source_set_name(source, "main dispatch queue");
    g_source_attach(source, NULL);
    g_source_unref(source);
}
