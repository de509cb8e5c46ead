/** Serves a process's metrics and health over HTTP to permitted readers. */
@NullMarked
package dev.rollcall.wire.metrics;

import org.jspecify.annotations.NullMarked;
