/** Debian's munged for tests. */
@NullMarked
package dev.rollcall.testkit.munge;

import org.jspecify.annotations.NullMarked;
