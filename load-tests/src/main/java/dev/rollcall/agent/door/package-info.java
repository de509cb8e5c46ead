/** Measurements of the door's frames, which nobody outside of it sees. */
@NullMarked
package dev.rollcall.agent.door;

import org.jspecify.annotations.NullMarked;
