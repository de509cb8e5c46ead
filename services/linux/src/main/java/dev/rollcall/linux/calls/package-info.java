/**
 * Who calls on this node: the sock_ops program and its maps, which outlive the agent; the ring that
 * announces calls to chosen ports; and the sources of calls that are made of them, or of sock_diag
 * alone where BPF is not to be had.
 */
@NullMarked
package dev.rollcall.linux.calls;

import org.jspecify.annotations.NullMarked;
