/** {@code ./rollcall bench}: what is measured, how it is told, and where it is kept. */
@NullMarked
package dev.rollcall.load.bench;

import org.jspecify.annotations.NullMarked;
