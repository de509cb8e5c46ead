/** Measurements of what the grid holds, which nobody outside of the roll sees. */
@NullMarked
package dev.rollcall.roll;

import org.jspecify.annotations.NullMarked;
