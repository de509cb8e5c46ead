/** The benchmarks, each in a package of its own, and the command that runs them. */
@NullMarked
package dev.rollcall.load;

import org.jspecify.annotations.NullMarked;
