@NullMarked
package dev.rollcall.gateway.stream;

import org.jspecify.annotations.NullMarked;
