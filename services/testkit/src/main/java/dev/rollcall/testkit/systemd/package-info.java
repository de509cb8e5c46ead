/** A node that a real systemd runs, as a container on this machine. */
@NullMarked
package dev.rollcall.testkit.systemd;

import org.jspecify.annotations.NullMarked;
