@NullMarked
package dev.rollcall.gateway.api;

import org.jspecify.annotations.NullMarked;
