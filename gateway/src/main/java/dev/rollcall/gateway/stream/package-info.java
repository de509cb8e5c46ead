/** Streams that go out of this gateway: bounded, and by the node that they lead to. */
@NullMarked
package dev.rollcall.gateway.stream;

import org.jspecify.annotations.NullMarked;
