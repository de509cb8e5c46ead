/** Tests of the accounts and incidents of jobs. */
@NullMarked
package dev.rollcall.jobs.usage;

import org.jspecify.annotations.NullMarked;
