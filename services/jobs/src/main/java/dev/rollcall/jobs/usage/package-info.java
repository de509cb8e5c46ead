/** What jobs, steps and sessions used, and what befell them: read from their cgroups. */
@NullMarked
package dev.rollcall.jobs.usage;

import org.jspecify.annotations.NullMarked;
