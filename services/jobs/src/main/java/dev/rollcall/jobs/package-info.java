/**
 * The jobs of this node. The seam between providers is the port {@code Jobs}: here is the native
 * one, which owns its cgroup tree; Slurm's, which adopts through Slurm, is in {@code
 * dev.rollcall.jobs.slurm} beside it. Limits and devices belong in {@code dev.rollcall.jobs.limits}
 * and act on the directories of {@link dev.rollcall.jobs.JobTree}; a scope that systemd made
 * reaches it as the configured cgroup root.
 */
@NullMarked
package dev.rollcall.jobs;

import org.jspecify.annotations.NullMarked;
