/** Tests. */
@NullMarked
package dev.rollcall.agent;

import org.jspecify.annotations.NullMarked;
