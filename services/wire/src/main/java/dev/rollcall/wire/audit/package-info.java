/** The audit log of agents and gateways: who asked for what, and what became of it. */
@NullMarked
package dev.rollcall.wire.audit;

import org.jspecify.annotations.NullMarked;
