/** Tests of the measurement of containers, in directories of their own. */
@NullMarked
package dev.rollcall.load.container;

import org.jspecify.annotations.NullMarked;
