/** Breaks a rule. */
@NullMarked
package dev.rollcall.load.brokentwo;

import org.jspecify.annotations.NullMarked;
