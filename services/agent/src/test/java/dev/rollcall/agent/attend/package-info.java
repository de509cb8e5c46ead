/** Tests. */
@NullMarked
package dev.rollcall.agent.attend;

import org.jspecify.annotations.NullMarked;
