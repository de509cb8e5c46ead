/** Holds the callers that other nodes announced, until their sessions arrive. */
@NullMarked
package dev.rollcall.agent.board;

import org.jspecify.annotations.NullMarked;
