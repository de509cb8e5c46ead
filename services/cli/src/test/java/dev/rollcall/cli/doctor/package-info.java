/** Checks for good and bad nodes. */
@NullMarked
package dev.rollcall.cli.doctor;

import org.jspecify.annotations.NullMarked;
