/** Tests. */
@NullMarked
package dev.rollcall.agent.login;

import org.jspecify.annotations.NullMarked;
