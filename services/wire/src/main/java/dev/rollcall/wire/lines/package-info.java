/** Files of lines of JSON, for other programs to read: written by a thread of their own. */
@NullMarked
package dev.rollcall.wire.lines;

import org.jspecify.annotations.NullMarked;
