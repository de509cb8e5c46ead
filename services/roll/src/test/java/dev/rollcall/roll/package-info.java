/** Real members in this process, on loopback. */
@NullMarked
package dev.rollcall.roll;

import org.jspecify.annotations.NullMarked;
