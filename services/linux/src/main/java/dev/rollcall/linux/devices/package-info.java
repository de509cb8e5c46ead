/**
 * Which devices the processes of a cgroup may use: by a BPF program with v2, by the devices
 * controller's files with v1.
 */
@NullMarked
package dev.rollcall.linux.devices;

import org.jspecify.annotations.NullMarked;
