/** The words of the wire, there and back. */
@NullMarked
package dev.rollcall.wire;

import org.jspecify.annotations.NullMarked;
