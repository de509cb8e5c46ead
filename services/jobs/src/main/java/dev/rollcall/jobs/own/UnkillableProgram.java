package dev.rollcall.jobs.own;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs the site's program for jobs whose processes outlive SIGKILL, as Slurm's
 * UnkillableStepProgram and UnkillableStepTimeout do.
 *
 * @param path absolute
 * @param after so long after the kill was due
 */
public record UnkillableProgram(Path path, Duration after) {}
