/** What fuzzing asks of words that people and PAM lines say. */
@NullMarked
package dev.rollcall.model;

import org.jspecify.annotations.NullMarked;
