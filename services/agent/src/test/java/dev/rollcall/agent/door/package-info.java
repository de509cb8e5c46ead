/** Tests. */
@NullMarked
package dev.rollcall.agent.door;

import org.jspecify.annotations.NullMarked;
