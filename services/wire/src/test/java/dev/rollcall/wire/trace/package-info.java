@NullMarked
package dev.rollcall.wire.trace;

import org.jspecify.annotations.NullMarked;
