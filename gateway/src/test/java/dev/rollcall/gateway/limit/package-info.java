@NullMarked
package dev.rollcall.gateway.limit;

import org.jspecify.annotations.NullMarked;
