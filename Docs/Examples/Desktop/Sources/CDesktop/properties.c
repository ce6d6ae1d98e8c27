#include "CDesktop.h"

void desktop_set_name(void *widget, const char *name, const char *description) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    if (description)
        gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
    else
        gtk_accessible_reset_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

gboolean desktop_has(void *widget, GtkAccessibleProperty property, const char *text) {
    char *other = gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), property, text);
    gboolean is_equal = other == NULL;
    g_free(other);
    return is_equal;
}

void desktop_set_text(void *object, const char *property, const char *text) { g_object_set(object, property, text, NULL); }
