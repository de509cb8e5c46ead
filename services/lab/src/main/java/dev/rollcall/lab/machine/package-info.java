/**
 * A Debian 12 machine with systemd and every cgroup v2 controller, emulated by QEMU without KVM:
 * its image is built once, a command runs inside, and its output, exit status and result files come
 * back. Building needs root.
 */
@NullMarked
package dev.rollcall.lab.machine;

import org.jspecify.annotations.NullMarked;
