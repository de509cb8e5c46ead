/** Runs the loads against a service in this process. */
@NullMarked
package dev.rollcall.load.lookup;

import org.jspecify.annotations.NullMarked;
