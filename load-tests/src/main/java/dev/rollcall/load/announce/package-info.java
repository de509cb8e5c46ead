/** From a job's connect() to whoever can say who made it, and what connect() itself costs. */
@NullMarked
package dev.rollcall.load.announce;

import org.jspecify.annotations.NullMarked;
