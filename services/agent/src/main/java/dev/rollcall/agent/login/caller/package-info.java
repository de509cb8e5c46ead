/** Keeps callers that other nodes announced, until their logins arrive. */
@NullMarked
package dev.rollcall.agent.login.caller;

import org.jspecify.annotations.NullMarked;
