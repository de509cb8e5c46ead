/** What fuzzing asks of what the kernel says of cgroups. */
@NullMarked
package dev.rollcall.linux.cgroup;

import org.jspecify.annotations.NullMarked;
