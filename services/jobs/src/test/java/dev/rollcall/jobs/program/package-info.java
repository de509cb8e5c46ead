/** Tests of the programs of a site. */
@NullMarked
package dev.rollcall.jobs.program;

import org.jspecify.annotations.NullMarked;
