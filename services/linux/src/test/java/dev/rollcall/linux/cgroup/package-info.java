/** Tests of control groups, on recorded text, on plain directories, and on this kernel. */
@NullMarked
package dev.rollcall.linux.cgroup;

import org.jspecify.annotations.NullMarked;
