/**
 * What the stages of the agent say to each other over the local event bus: addresses, messages, and
 * the bus itself. The only package that stages share; docs/events.md lists every address.
 */
@NullMarked
package dev.rollcall.agent.event;

import org.jspecify.annotations.NullMarked;
