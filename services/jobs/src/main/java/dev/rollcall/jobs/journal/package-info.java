/** Stores on disk the facts about the node's jobs that a restarted agent needs. */
@NullMarked
package dev.rollcall.jobs.journal;

import org.jspecify.annotations.NullMarked;
