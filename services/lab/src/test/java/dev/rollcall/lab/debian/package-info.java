/** Rollcall on other releases of Debian than this machine's. */
@NullMarked
package dev.rollcall.lab.debian;

import org.jspecify.annotations.NullMarked;
