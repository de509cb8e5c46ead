/** What fuzzing asks of the journal. */
@NullMarked
package dev.rollcall.jobs.journal;

import org.jspecify.annotations.NullMarked;
