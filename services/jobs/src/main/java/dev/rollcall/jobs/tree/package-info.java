/** Where jobs, steps and sessions stand in the cgroup hierarchies, and who is in them. */
@NullMarked
package dev.rollcall.jobs.tree;

import org.jspecify.annotations.NullMarked;
