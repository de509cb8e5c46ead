/** Serves gRPC's health and reflection services, for tools. */
@NullMarked
package dev.rollcall.gateway.describe;

import org.jspecify.annotations.NullMarked;
