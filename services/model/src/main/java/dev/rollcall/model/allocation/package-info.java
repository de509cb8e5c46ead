/** The allocation of a job, or one of its steps, on a node: limits, devices, environment. */
@NullMarked
package dev.rollcall.model.allocation;

import org.jspecify.annotations.NullMarked;
