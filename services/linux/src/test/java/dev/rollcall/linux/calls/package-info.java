@NullMarked
package dev.rollcall.linux.calls;

import org.jspecify.annotations.NullMarked;
