/**
 * Searches for attacks that end, deafen or fill an agent or a gateway ({@code ./rollcall attack}).
 */
@NullMarked
package dev.rollcall.load.attack;

import org.jspecify.annotations.NullMarked;
