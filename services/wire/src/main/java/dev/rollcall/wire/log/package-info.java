/** Formats the lines that Rollcall's processes write to standard error. */
@NullMarked
package dev.rollcall.wire.log;

import org.jspecify.annotations.NullMarked;
