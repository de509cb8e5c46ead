/** The frames of a node's local sockets: server and client (docs/local-socket-protocol.md). */
@NullMarked
package dev.rollcall.wire.local;

import org.jspecify.annotations.NullMarked;
