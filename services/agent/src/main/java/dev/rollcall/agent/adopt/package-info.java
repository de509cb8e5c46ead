/** Carries decisions out, off the event loop, and remembers the last of them. */
@NullMarked
package dev.rollcall.agent.adopt;

import org.jspecify.annotations.NullMarked;
