/** Tests of the limits, with whole servers and with one class each. */
@NullMarked
package dev.rollcall.wire.grpc.limit;

import org.jspecify.annotations.NullMarked;
