/** How a process reads its configuration file: every mistake named with file, line and key. */
@NullMarked
package dev.rollcall.settings;

import org.jspecify.annotations.NullMarked;
