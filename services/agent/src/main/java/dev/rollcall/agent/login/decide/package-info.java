/** Decides logins: gathers facts, applies the policy, and keeps what later phases need. */
@NullMarked
package dev.rollcall.agent.login.decide;

import org.jspecify.annotations.NullMarked;
