/** Tests of the measurement of scrapes, on cgroups of their own. */
@NullMarked
package dev.rollcall.load.scrape;

import org.jspecify.annotations.NullMarked;
