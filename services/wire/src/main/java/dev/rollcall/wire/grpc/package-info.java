/**
 * gRPC-java services and channels on Vert.x's own HTTP, over unix sockets and TCP. What the library
 * leaves open is closed here: a lost peer cancels its calls, a failing service answers, messages
 * have a limit, and a service can tell who is calling.
 */
@NullMarked
package dev.rollcall.wire.grpc;

import org.jspecify.annotations.NullMarked;
