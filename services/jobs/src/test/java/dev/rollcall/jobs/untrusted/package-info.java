@NullMarked
package dev.rollcall.jobs.untrusted;

import org.jspecify.annotations.NullMarked;
