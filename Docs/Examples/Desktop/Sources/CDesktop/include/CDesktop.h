#pragma once
#include <adwaita.h>

/// Lets GLib's default main loop run the main dispatch queue, and so Swift's main actor. Call it once, on the main thread.
void desktop_attach_main_queue(void);

/// The content of a GListModel, which is an object of Swift.
typedef struct {
    unsigned (*count)(void *context);
    GObject *(*item)(void *context, unsigned position);  // returns an owned reference
} DesktopListCalls;

GListModel *desktop_list_new(void *context, DesktopListCalls calls);

/// Empties the model, which then no longer calls its context. GTK can hold the model longer than its content lives.
void desktop_list_detach(GListModel *list, unsigned count);

/// Sets the accessible name of a widget, and a description of what it belongs to. The functions of GTK are variadic.
void desktop_set_name(void *widget, const char *name, const char *description);

/// Returns whether a widget has an accessible name.
gboolean desktop_has_name(void *widget, const char *name);

/// Sets a property with a text.
void desktop_set_text(void *object, const char *property, const char *text);
