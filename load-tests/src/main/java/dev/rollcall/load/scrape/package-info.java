/** Measures a scrape of the series of jobs, beside a reader of the same cgroups. */
@NullMarked
package dev.rollcall.load.scrape;

import org.jspecify.annotations.NullMarked;
