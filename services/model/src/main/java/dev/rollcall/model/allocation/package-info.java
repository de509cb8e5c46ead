/** What a job, or one of its steps, is given on a node: limits, devices, environment. */
@NullMarked
package dev.rollcall.model.allocation;

import org.jspecify.annotations.NullMarked;
