/** What it costs to begin and end jobs with containers, beside the same by a site's commands. */
@NullMarked
package dev.rollcall.load.container;

import org.jspecify.annotations.NullMarked;
