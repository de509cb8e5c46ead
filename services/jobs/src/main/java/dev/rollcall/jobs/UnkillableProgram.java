package dev.rollcall.jobs;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A program of the site's for jobs whose processes outlive SIGKILL, such as one that drains the
 * node: Slurm's UnkillableStepProgram and UnkillableStepTimeout.
 *
 * @param path absolute
 * @param after so long after the kill was due
 */
public record UnkillableProgram(Path path, Duration after) {}
