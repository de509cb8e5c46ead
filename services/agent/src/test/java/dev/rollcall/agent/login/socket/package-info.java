/** Tests. */
@NullMarked
package dev.rollcall.agent.login.socket;

import org.jspecify.annotations.NullMarked;
