/** Gateways as agents and clients meet them, over real connections. */
@NullMarked
package dev.rollcall.gateway;

import org.jspecify.annotations.NullMarked;
