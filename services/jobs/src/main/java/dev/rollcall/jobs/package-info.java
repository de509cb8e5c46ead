/**
 * The classes that both providers of jobs use. {@code dev.rollcall.jobs.own} has the jobs that
 * Rollcall begins, {@code dev.rollcall.jobs.slurm} those of Slurm. Both implement the port {@code
 * Jobs}, and neither uses the other.
 */
@NullMarked
package dev.rollcall.jobs;

import org.jspecify.annotations.NullMarked;
