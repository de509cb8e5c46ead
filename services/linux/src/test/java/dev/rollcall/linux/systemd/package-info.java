@NullMarked
package dev.rollcall.linux.systemd;

import org.jspecify.annotations.NullMarked;
