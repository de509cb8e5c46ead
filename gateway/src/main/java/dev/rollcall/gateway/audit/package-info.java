/** The gateway's audit log, docs/audit.md. */
@NullMarked
package dev.rollcall.gateway.audit;

import org.jspecify.annotations.NullMarked;
