/** Reads the usage and the incidents of jobs, steps and sessions from their cgroups. */
@NullMarked
package dev.rollcall.jobs.usage;

import org.jspecify.annotations.NullMarked;
