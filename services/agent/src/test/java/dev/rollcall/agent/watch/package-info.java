/** Tests. */
@NullMarked
package dev.rollcall.agent.watch;

import org.jspecify.annotations.NullMarked;
