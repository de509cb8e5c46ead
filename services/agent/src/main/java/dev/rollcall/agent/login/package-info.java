/** Writes what the PAM module needs to decide about logins without a question to the agent. */
@NullMarked
package dev.rollcall.agent.login;

import org.jspecify.annotations.NullMarked;
