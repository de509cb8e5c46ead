package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.TokenKeys;
import java.time.Duration;

/**
 * How a gateway gives and takes tokens.
 *
 * @param most for how long one is good
 */
record TokenConfig(TokenKeys keys, Duration most) {}
