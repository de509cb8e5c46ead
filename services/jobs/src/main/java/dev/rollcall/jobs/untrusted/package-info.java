/**
 * Accesses things of users that may never answer: their terminals, and the memory of their
 * processes. No other package of the jobs does.
 */
@NullMarked
package dev.rollcall.jobs.untrusted;

import org.jspecify.annotations.NullMarked;
