/** Tests of the measurement of moves, on cgroups of their own. */
@NullMarked
package dev.rollcall.load.move;

import org.jspecify.annotations.NullMarked;
