/** What the stages need of the world, as interfaces that have a real and a fake implementation. */
@NullMarked
package dev.rollcall.port;

import org.jspecify.annotations.NullMarked;
