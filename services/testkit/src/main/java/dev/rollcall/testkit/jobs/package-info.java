/** A fake of the port Jobs, and the tests that it and the real ones pass alike. */
@NullMarked
package dev.rollcall.testkit.jobs;

import org.jspecify.annotations.NullMarked;
