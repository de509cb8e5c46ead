/** Serves this gateway's metrics and health over HTTP. */
@NullMarked
package dev.rollcall.gateway.metrics;

import org.jspecify.annotations.NullMarked;
