/** Measures the short commands of the program in C, which prologs and scripts call. */
@NullMarked
package dev.rollcall.load.brief;

import org.jspecify.annotations.NullMarked;
