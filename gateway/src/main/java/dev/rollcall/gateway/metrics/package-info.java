/** What operators and their machines see of this gateway, over HTTP. */
@NullMarked
package dev.rollcall.gateway.metrics;

import org.jspecify.annotations.NullMarked;
