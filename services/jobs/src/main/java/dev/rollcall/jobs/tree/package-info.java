/** Manages the cgroups of jobs, steps and sessions, and lists their processes. */
@NullMarked
package dev.rollcall.jobs.tree;

import org.jspecify.annotations.NullMarked;
