/** Tests. */
@NullMarked
package dev.rollcall.agent.login.adopt;

import org.jspecify.annotations.NullMarked;
