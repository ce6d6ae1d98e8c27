// Lookups of host names that take as long as a test wants: those of names that end with `.slow`, on Linux.

#ifndef SLOW_LOOKUPS_H
#define SLOW_LOOKUPS_H

/// Waits until so many lookups have begun; returns how many have.
int slow_lookups_wait(int count);

/// Ends all lookups, also those to come; they find no host.
void slow_lookups_end(void);

#endif
