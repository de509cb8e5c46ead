/**
 * Defines the messages between the agent's stages on the local event bus, with their addresses. The
 * only package that stages share; docs/events.md lists every address.
 */
@NullMarked
package dev.rollcall.agent.event;

import org.jspecify.annotations.NullMarked;
