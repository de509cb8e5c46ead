/** Tests. */
@NullMarked
package dev.rollcall.agent.decide;

import org.jspecify.annotations.NullMarked;
