/**
 * The soak: sessions and jobs come and go on a test cluster while faults happen, by a plan that a
 * seed determines, and what must hold is looked at throughout.
 */
@NullMarked
package dev.rollcall.lab.soak;

import org.jspecify.annotations.NullMarked;
