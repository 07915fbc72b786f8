#pragma once
#include <libpq-fe.h>

// Swift does not import macros that are character literals.

/// The field with the SQLSTATE of a failure.
static const int usher_failure_state = PG_DIAG_SQLSTATE;

/// The field with the message of a failure.
static const int usher_failure_words = PG_DIAG_MESSAGE_PRIMARY;

/// The field with the name of the database's function that reported a failure or a warning.
static const int usher_failure_function = PG_DIAG_SOURCE_FUNCTION;
