/** Mounts, and work inside another namespace. */
@NullMarked
package dev.rollcall.linux.mount;

import org.jspecify.annotations.NullMarked;
