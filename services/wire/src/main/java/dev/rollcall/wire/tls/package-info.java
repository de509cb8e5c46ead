/**
 * This side's identity in TLS, which is renewed while connections stand, and who may be the other
 * side.
 */
@NullMarked
package dev.rollcall.wire.tls;

import org.jspecify.annotations.NullMarked;
