/** Bytes that clients of HTTP/2 write. */
@NullMarked
package dev.rollcall.testkit.http2;

import org.jspecify.annotations.NullMarked;
