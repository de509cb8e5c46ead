/** The unix socket at which the PAM module asks the agent: connections, frames and messages. */
@NullMarked
package dev.rollcall.agent.login.socket;

import org.jspecify.annotations.NullMarked;
