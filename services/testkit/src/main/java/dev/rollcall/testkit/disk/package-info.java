/** A small disk that tests fill. */
@NullMarked
package dev.rollcall.testkit.disk;

import org.jspecify.annotations.NullMarked;
