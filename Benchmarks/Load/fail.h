// Ends the program with a message; nothing here can be gone on from.

#include <stdio.h>
#include <stdlib.h>

#define FAIL(...) (fprintf(stderr, "benchmark: " __VA_ARGS__), fputc('\n', stderr), exit(1))
