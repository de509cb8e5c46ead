@NullMarked
package dev.rollcall.gateway.identity;

import org.jspecify.annotations.NullMarked;
