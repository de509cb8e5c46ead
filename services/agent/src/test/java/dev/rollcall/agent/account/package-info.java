/** Tests. */
@NullMarked
package dev.rollcall.agent.account;

import org.jspecify.annotations.NullMarked;
