/** How a process reads its configuration files: every mistake named with file, line and key. */
@NullMarked
package dev.rollcall.settings;

import org.jspecify.annotations.NullMarked;
