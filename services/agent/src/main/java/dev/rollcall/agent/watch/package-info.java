/**
 * Sees what this node's processes and jobs do: tells calls to announced ports and changes of jobs,
 * and answers who on this node made a call.
 */
@NullMarked
package dev.rollcall.agent.watch;

import org.jspecify.annotations.NullMarked;
