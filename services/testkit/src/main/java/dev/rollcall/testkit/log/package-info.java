/** Keeps what a test's subject logs. */
@NullMarked
package dev.rollcall.testkit.log;

import org.jspecify.annotations.NullMarked;
