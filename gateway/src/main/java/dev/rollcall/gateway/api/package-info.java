/** The public services for the whole cluster: who may ask, and what of the answer they may see. */
@NullMarked
package dev.rollcall.gateway.api;

import org.jspecify.annotations.NullMarked;
