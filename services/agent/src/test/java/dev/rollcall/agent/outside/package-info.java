/** Tests. */
@NullMarked
package dev.rollcall.agent.outside;

import org.jspecify.annotations.NullMarked;
