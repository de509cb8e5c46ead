/** Finds the GPUs of jobs, and writes them for the exporters of GPUs. */
@NullMarked
package dev.rollcall.agent.series.device;

import org.jspecify.annotations.NullMarked;
