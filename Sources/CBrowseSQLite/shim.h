// The system's SQLite: part of every Apple SDK, and of libsqlite3-dev (or sqlite-devel) on Linux.
#include <sqlite3.h>
