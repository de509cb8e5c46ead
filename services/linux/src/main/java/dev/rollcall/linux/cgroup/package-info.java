/**
 * Control groups as the kernel shows them: where the hierarchies are mounted, which cgroups a
 * process is in, which job a path or an id belongs to, and what can be done to a directory. Paths
 * are those of {@code /proc/PID/cgroup}, cgroups(7).
 */
@NullMarked
package dev.rollcall.linux.cgroup;

import org.jspecify.annotations.NullMarked;
