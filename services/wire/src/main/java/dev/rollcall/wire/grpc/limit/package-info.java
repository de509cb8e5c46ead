/**
 * Limits of what connections to a server may cost it: how many one user or one address has, how
 * fast they are accepted, how many HTTP/2 frames without a call come on them, and descriptors that
 * come with messages; and for which user a uid counts. {@code dev.rollcall.wire.grpc} uses this
 * package, never the reverse.
 */
@NullMarked
package dev.rollcall.wire.grpc.limit;

import org.jspecify.annotations.NullMarked;
