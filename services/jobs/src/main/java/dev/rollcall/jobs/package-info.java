/**
 * What every provider of this node's jobs shares. The seam between providers is the port {@code
 * Jobs}: jobs of Rollcall's own are in {@code dev.rollcall.jobs.own}, and Slurm's jobs in {@code
 * dev.rollcall.jobs.slurm}. Neither of these two uses the other.
 */
@NullMarked
package dev.rollcall.jobs;

import org.jspecify.annotations.NullMarked;
