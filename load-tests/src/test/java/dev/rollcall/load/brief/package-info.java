/** Tests of the measurement of short commands, on a cluster of their own. */
@NullMarked
package dev.rollcall.load.brief;

import org.jspecify.annotations.NullMarked;
