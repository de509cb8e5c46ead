/** Tests of how the benchmarks lie beside each other. */
@NullMarked
package dev.rollcall.load;

import org.jspecify.annotations.NullMarked;
