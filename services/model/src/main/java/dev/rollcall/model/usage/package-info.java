/** What jobs, steps and sessions used, and what befell them. */
@NullMarked
package dev.rollcall.model.usage;

import org.jspecify.annotations.NullMarked;
