// Lets tests control how long host name lookups take, for names that end with `.slow`, on Linux. Names that end with `.pair` have
// the addresses 127.0.0.2 and 127.0.0.1, in this order.

#ifndef SLOW_LOOKUPS_H
#define SLOW_LOOKUPS_H

/// Blocks until at least `count` lookups have begun, and returns their number.
int slow_lookups_wait(int count);

/// Ends all current and future lookups, which report that the host doesn't exist.
void slow_lookups_end(void);

/// Lets connections to a port of 127.0.0.2 have no answer; returns whether that's possible.
int slow_lookups_silence(int port);

#endif
