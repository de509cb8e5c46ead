/** What a process counts, and how it is, over HTTP: for whom that is meant. */
@NullMarked
package dev.rollcall.wire.metrics;

import org.jspecify.annotations.NullMarked;
