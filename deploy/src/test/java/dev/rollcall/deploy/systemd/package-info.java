/** The systemd units: checked by systemd itself, and their settings read. */
@NullMarked
package dev.rollcall.deploy.systemd;

import org.jspecify.annotations.NullMarked;
