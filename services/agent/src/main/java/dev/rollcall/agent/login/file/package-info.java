/** Writes the files by which the PAM module decides logins without the agent. */
@NullMarked
package dev.rollcall.agent.login.file;

import org.jspecify.annotations.NullMarked;
