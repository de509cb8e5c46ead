/** Commands that tests start, and waiting for a condition. */
@NullMarked
package dev.rollcall.testkit.process;

import org.jspecify.annotations.NullMarked;
