/**
 * The public services on the agent's socket, authorised by the kernel's word about who is asking.
 */
@NullMarked
package dev.rollcall.agent.serve;

import org.jspecify.annotations.NullMarked;
