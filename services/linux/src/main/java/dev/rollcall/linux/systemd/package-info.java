/**
 * systemd, asked over D-Bus for the scope that holds the jobs: a part of the cgroup tree that is
 * delegated to Rollcall, kept by one resident process.
 */
@NullMarked
package dev.rollcall.linux.systemd;

import org.jspecify.annotations.NullMarked;
