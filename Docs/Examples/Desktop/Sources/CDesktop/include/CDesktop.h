#pragma once
#include <adwaita.h>

/// Lets GLib's default main loop run the main dispatch queue, and so Swift's main actor. Call it once, on the main thread.
void desktop_attach_main_queue(void);

/// Sets the accessible name of a widget, and a description of what it belongs to. The functions of GTK are variadic.
void desktop_set_name(void *widget, const char *name, const char *description);

/// Returns whether a widget has a text as an accessible property, such as its name.
gboolean desktop_has(void *widget, GtkAccessibleProperty property, const char *text);

/// Sets a property with a text.
void desktop_set_text(void *object, const char *property, const char *text);
