/** The systemd units: checked by systemd itself, and their settings read. */
@NullMarked
package dev.rollcall.lab.systemd;

import org.jspecify.annotations.NullMarked;
