/** Holds the fakes to their contracts. */
@NullMarked
package dev.rollcall.testkit.roll;

import org.jspecify.annotations.NullMarked;
