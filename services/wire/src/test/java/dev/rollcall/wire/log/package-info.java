@NullMarked
package dev.rollcall.wire.log;

import org.jspecify.annotations.NullMarked;
