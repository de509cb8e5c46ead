@NullMarked
package dev.rollcall.linux.execs;

import org.jspecify.annotations.NullMarked;
