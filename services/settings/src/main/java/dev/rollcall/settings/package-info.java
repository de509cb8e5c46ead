/** Reads configuration files. An error names file, line and key. */
@NullMarked
package dev.rollcall.settings;

import org.jspecify.annotations.NullMarked;
