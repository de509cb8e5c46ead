/** Breaks a rule of the house, to show that the rule can fail. */
@NullMarked
package dev.rollcall.agent.brokentwo;

import org.jspecify.annotations.NullMarked;
