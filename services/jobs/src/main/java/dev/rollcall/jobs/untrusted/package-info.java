/**
 * What touches something of a user's that may never answer: their terminals, and the memory of
 * their processes. Nothing else in the jobs does.
 */
@NullMarked
package dev.rollcall.jobs.untrusted;

import org.jspecify.annotations.NullMarked;
