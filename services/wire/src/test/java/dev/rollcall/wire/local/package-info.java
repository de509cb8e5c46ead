/** Tests of a node's local sockets. */
@NullMarked
package dev.rollcall.wire.local;

import org.jspecify.annotations.NullMarked;
