/** A call table without a kernel. */
@NullMarked
package dev.rollcall.testkit.calls;

import org.jspecify.annotations.NullMarked;
