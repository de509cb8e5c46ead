/** Tests. */
@NullMarked
package dev.rollcall.agent.adopt;

import org.jspecify.annotations.NullMarked;
