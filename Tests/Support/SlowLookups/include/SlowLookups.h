// Lets tests control how long host name lookups take, for names that end with `.slow`, on Linux.

#ifndef SLOW_LOOKUPS_H
#define SLOW_LOOKUPS_H

/// Blocks until at least `count` lookups have begun, and returns their number.
int slow_lookups_wait(int count);

/// Ends all current and future lookups, which report that the host doesn't exist.
void slow_lookups_end(void);

#endif
