/** Breaks a rule of the house, to show that the rule can fail. */
@NullMarked
package dev.rollcall.agent.brokenone;

import org.jspecify.annotations.NullMarked;
