#include "CDesktop.h"

typedef struct {
    GObject parent;
    void *context;
    DesktopListCalls calls;
} DesktopList;
typedef GObjectClass DesktopListClass;

static GType desktop_list_item_type(GListModel *list) { return G_TYPE_OBJECT; }

static guint desktop_list_count(GListModel *list) {
    DesktopList *self = (DesktopList *)list;
    return self->context ? self->calls.count(self->context) : 0;
}

static gpointer desktop_list_item(GListModel *list, guint position) {
    DesktopList *self = (DesktopList *)list;
    return self->context ? self->calls.item(self->context, position) : NULL;
}

static void desktop_list_interface(GListModelInterface *interface) {
    interface->get_item_type = desktop_list_item_type;
    interface->get_n_items = desktop_list_count;
    interface->get_item = desktop_list_item;
}

G_DEFINE_TYPE_WITH_CODE(DesktopList, desktop_list, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, desktop_list_interface))
static void desktop_list_class_init(DesktopListClass *class) {}
static void desktop_list_init(DesktopList *self) {}

GListModel *desktop_list_new(void *context, DesktopListCalls calls) {
    DesktopList *self = g_object_new(desktop_list_get_type(), NULL);
    self->context = context;
    self->calls = calls;
    return G_LIST_MODEL(self);
}

void desktop_list_detach(GListModel *list, unsigned count) {
    ((DesktopList *)list)->context = NULL;
    if (count) g_list_model_items_changed(list, 0, count, 0);
}

void desktop_set_name(void *widget, const char *name, const char *description) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    if (description)
        gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

gboolean desktop_has_name(void *widget, const char *name) {
    char *other = gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    gboolean is_equal = other == NULL;
    g_free(other);
    return is_equal;
}

void desktop_set_text(void *object, const char *property, const char *text) { g_object_set(object, property, text, NULL); }
