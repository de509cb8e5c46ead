/**
 * Jobs that Rollcall itself begins and ends, in cgroups of its own. Their directories are in {@code
 * dev.rollcall.jobs.tree}, below the configured cgroup root or a scope that systemd made; {@code
 * dev.rollcall.jobs.limits} writes their limits.
 */
@NullMarked
package dev.rollcall.jobs.own;

import org.jspecify.annotations.NullMarked;
