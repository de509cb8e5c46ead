/** What is bounded, and what stays in order. */
@NullMarked
package dev.rollcall.gateway.work;

import org.jspecify.annotations.NullMarked;
