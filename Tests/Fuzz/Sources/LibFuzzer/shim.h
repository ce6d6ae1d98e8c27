#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer inside of a program that has a `main` of its own. The function is called with every input and returns 0.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*function)(const uint8_t *data, size_t size));
