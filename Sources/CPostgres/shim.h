#pragma once
#include <libpq-fe.h>

// Swift knows no macros that are characters.

/// The field of a failure that says its kind.
static const int usher_failure_state = PG_DIAG_SQLSTATE;

/// The field of a failure with its words.
static const int usher_failure_words = PG_DIAG_MESSAGE_PRIMARY;

/// The field of a failure or warning with the name of the database's function that told it.
static const int usher_failure_function = PG_DIAG_SOURCE_FUNCTION;
