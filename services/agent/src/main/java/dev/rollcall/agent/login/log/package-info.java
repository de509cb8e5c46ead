/** Reads the log in which the PAM module records the logins that it decides. */
@NullMarked
package dev.rollcall.agent.login.log;

import org.jspecify.annotations.NullMarked;
