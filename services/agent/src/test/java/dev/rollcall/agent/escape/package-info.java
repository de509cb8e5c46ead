/** Tests. */
@NullMarked
package dev.rollcall.agent.escape;

import org.jspecify.annotations.NullMarked;
