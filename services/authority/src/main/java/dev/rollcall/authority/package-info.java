/**
 * A certificate authority in a directory, for sites that have no other. Blocks; for one process at
 * a time.
 */
@NullMarked
package dev.rollcall.authority;

import org.jspecify.annotations.NullMarked;
