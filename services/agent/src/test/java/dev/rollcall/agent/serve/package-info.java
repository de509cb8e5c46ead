/** Tests. */
@NullMarked
package dev.rollcall.agent.serve;

import org.jspecify.annotations.NullMarked;
