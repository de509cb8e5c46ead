/** The systemd units: systemd takes them, and they keep what the agent needs. */
@NullMarked
package dev.rollcall.deploy.systemd;

import org.jspecify.annotations.NullMarked;
