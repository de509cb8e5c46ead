@NullMarked
package dev.rollcall.jobs.limits;

import org.jspecify.annotations.NullMarked;
