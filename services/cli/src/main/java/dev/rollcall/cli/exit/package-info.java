/** How a command ends: its exit code, and a failure that the user is shown. */
@NullMarked
package dev.rollcall.cli.exit;

import org.jspecify.annotations.NullMarked;
