/** Runs programs that a site configures. */
@NullMarked
package dev.rollcall.jobs.program;

import org.jspecify.annotations.NullMarked;
