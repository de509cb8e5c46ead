/** What fuzzing asks of files that a site wrote. */
@NullMarked
package dev.rollcall.settings;

import org.jspecify.annotations.NullMarked;
