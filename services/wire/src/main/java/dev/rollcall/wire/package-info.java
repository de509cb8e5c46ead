/**
 * The one place where the wire's messages and the model's words meet. Nothing deeper than this sees
 * protobuf; what arrives is checked here and nowhere else.
 */
@NullMarked
package dev.rollcall.wire;

import org.jspecify.annotations.NullMarked;
