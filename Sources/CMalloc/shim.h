#pragma once
/* Glibc's module map leaves this header out. */
#include <malloc.h>
