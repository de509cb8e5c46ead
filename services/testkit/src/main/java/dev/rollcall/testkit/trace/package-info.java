/** A collector of traces that reads OTLP by OpenTelemetry's own classes. For tests alone. */
@NullMarked
package dev.rollcall.testkit.trace;

import org.jspecify.annotations.NullMarked;
