/** Holds the wire to the rules of buf's STANDARD set, and to comments on what is offered. */
@NullMarked
package dev.rollcall.proto;

import org.jspecify.annotations.NullMarked;
