/**
 * Limits of jobs and steps: which files of which hierarchy say them, how they are written so that
 * all hold or none, what a site's rules make of what was asked, and what to put back when something
 * else changed them.
 */
@NullMarked
package dev.rollcall.jobs.limits;

import org.jspecify.annotations.NullMarked;
