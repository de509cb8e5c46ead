/** Finds the GPUs of jobs. */
@NullMarked
package dev.rollcall.agent.series.device;

import org.jspecify.annotations.NullMarked;
