/** A whole machine with systemd and real cgroup v2 controllers, emulated: one boot for all. */
@NullMarked
package dev.rollcall.deploy.vm;

import org.jspecify.annotations.NullMarked;
