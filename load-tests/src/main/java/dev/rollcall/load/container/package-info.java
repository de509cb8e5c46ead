/** Measures the begin and end of jobs with containers, beside a site's commands for the same. */
@NullMarked
package dev.rollcall.load.container;

import org.jspecify.annotations.NullMarked;
