/** Tests. */
@NullMarked
package dev.rollcall.agent.login.log;

import org.jspecify.annotations.NullMarked;
