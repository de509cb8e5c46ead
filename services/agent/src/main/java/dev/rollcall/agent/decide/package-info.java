/** Gathers what is known of a session and lets the policy decide. */
@NullMarked
package dev.rollcall.agent.decide;

import org.jspecify.annotations.NullMarked;
