/** Traces of logins, as OpenTelemetry has them: spans, and the way to their collector. */
@NullMarked
package dev.rollcall.wire.trace;

import org.jspecify.annotations.NullMarked;
