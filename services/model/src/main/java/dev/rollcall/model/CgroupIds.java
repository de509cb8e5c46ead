package dev.rollcall.model;

/**
 * The ids of a task's cgroups, by the kernel's 64-bit numbers (the inode number of the cgroup's
 * directory). 0: not known.
 *
 * @param v2 in the cgroup2 hierarchy, which always exists in the kernel, mounted or not
 * @param v1 in the v1 freezer hierarchy
 */
public record CgroupIds(long v2, long v1) {}
