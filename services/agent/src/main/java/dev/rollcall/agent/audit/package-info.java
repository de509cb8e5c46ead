/** The audit log of this node, docs/audit.md. */
@NullMarked
package dev.rollcall.agent.audit;

import org.jspecify.annotations.NullMarked;
