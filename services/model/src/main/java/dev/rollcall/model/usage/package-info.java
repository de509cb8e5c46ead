/** The usage and the incidents of jobs, steps and sessions. */
@NullMarked
package dev.rollcall.model.usage;

import org.jspecify.annotations.NullMarked;
