/** Metrics, liveness and readiness over HTTP. */
@NullMarked
package dev.rollcall.agent.health;

import org.jspecify.annotations.NullMarked;
