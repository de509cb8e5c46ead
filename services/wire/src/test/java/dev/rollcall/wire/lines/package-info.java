@NullMarked
package dev.rollcall.wire.lines;

import org.jspecify.annotations.NullMarked;
