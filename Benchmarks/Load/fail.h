// Ends the program with a message, because no error here can be handled.

#include <stdio.h>
#include <stdlib.h>

#define FAIL(...) (fprintf(stderr, "benchmark: " __VA_ARGS__), fputc('\n', stderr), exit(1))
