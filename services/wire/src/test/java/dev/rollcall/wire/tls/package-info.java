@NullMarked
package dev.rollcall.wire.tls;

import org.jspecify.annotations.NullMarked;
