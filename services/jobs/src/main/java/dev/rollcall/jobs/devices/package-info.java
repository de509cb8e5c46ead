/** Which devices the processes of jobs and steps may use. */
@NullMarked
package dev.rollcall.jobs.devices;

import org.jspecify.annotations.NullMarked;
