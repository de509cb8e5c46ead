/** Measures jobs, their steps and sessions, and writes them as series of Prometheus. */
@NullMarked
package dev.rollcall.agent.series;

import org.jspecify.annotations.NullMarked;
