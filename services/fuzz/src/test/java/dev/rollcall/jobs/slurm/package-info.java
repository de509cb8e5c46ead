/** What fuzzing asks of what Slurm says. */
@NullMarked
package dev.rollcall.jobs.slurm;

import org.jspecify.annotations.NullMarked;
