/**
 * The interfaces by which the stages reach the system. Each has a real and a fake implementation.
 */
@NullMarked
package dev.rollcall.port;

import org.jspecify.annotations.NullMarked;
