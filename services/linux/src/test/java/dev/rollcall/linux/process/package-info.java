@NullMarked
package dev.rollcall.linux.process;

import org.jspecify.annotations.NullMarked;
