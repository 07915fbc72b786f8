// The author's part: the sample `start-login-main`, for the engine in C.

#pragma once

#include "tree.h"

/// Starts the app's coordinator for a user who has logged in before, or has not.
void app_start(struct tree *tree, bool is_logged_in);
