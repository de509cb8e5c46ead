/**
 * Tests of jobs that Rollcall begins and ends itself. Those tagged {@code root} use cgroups of
 * their own on this machine.
 */
@NullMarked
package dev.rollcall.jobs.own;

import org.jspecify.annotations.NullMarked;
