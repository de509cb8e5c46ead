/** Tests. */
@NullMarked
package dev.rollcall.agent.gateway;

import org.jspecify.annotations.NullMarked;
