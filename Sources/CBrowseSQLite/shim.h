// The system's SQLite: in all Apple SDKs, and in libsqlite3-dev or sqlite-devel on Linux.
#include <sqlite3.h>
