/** Bounds for the memory that other parties hold in this process. */
@NullMarked
package dev.rollcall.wire.memory;

import org.jspecify.annotations.NullMarked;
