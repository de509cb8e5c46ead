/** The fake of the port Jobs, held to its contract. */
@NullMarked
package dev.rollcall.testkit.jobs;

import org.jspecify.annotations.NullMarked;
