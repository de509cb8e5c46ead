/** Tests. */
@NullMarked
package dev.rollcall.agent.login.decide;

import org.jspecify.annotations.NullMarked;
