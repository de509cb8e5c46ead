/** Moves sessions into their jobs, and records every login. */
@NullMarked
package dev.rollcall.agent.login.adopt;

import org.jspecify.annotations.NullMarked;
