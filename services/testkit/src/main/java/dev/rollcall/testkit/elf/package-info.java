/** Reads compiled programs and libraries. */
@NullMarked
package dev.rollcall.testkit.elf;

import org.jspecify.annotations.NullMarked;
