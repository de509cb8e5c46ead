/** What a restarted agent must know of the node's jobs, on disk. */
@NullMarked
package dev.rollcall.jobs.journal;

import org.jspecify.annotations.NullMarked;
