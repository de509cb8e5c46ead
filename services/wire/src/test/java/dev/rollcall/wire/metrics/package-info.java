@NullMarked
package dev.rollcall.wire.metrics;

import org.jspecify.annotations.NullMarked;
