/** Measures the frames of the login socket. */
@NullMarked
package dev.rollcall.agent.login.socket;

import org.jspecify.annotations.NullMarked;
