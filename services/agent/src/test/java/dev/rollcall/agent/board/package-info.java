/** Tests. */
@NullMarked
package dev.rollcall.agent.board;

import org.jspecify.annotations.NullMarked;
