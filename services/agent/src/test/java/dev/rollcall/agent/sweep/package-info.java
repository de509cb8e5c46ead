/** Tests of the sweeps. */
@NullMarked
package dev.rollcall.agent.sweep;

import org.jspecify.annotations.NullMarked;
