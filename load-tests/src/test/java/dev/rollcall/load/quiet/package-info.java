/** Tests of the measurement of what an agent takes from the jobs beside it. */
@NullMarked
package dev.rollcall.load.quiet;

import org.jspecify.annotations.NullMarked;
