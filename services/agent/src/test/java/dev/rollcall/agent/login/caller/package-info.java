/** Tests. */
@NullMarked
package dev.rollcall.agent.login.caller;

import org.jspecify.annotations.NullMarked;
