package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.TokenKeys;
import java.time.Duration;

/**
 * Holds the keys and the lifetime of a gateway's tokens.
 *
 * @param most for how long one is good
 */
record TokenConfig(TokenKeys keys, Duration most) {}
