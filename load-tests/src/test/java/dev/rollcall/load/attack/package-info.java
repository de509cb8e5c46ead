/** The search for attacks: its parts, and known attacks replayed. */
@NullMarked
package dev.rollcall.load.attack;

import org.jspecify.annotations.NullMarked;
