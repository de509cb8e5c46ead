/** Breaks a rule. */
@NullMarked
package dev.rollcall.load.brokenone;

import org.jspecify.annotations.NullMarked;
