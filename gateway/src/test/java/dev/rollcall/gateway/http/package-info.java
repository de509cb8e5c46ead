/** Tests of the API by HTTP. */
@NullMarked
package dev.rollcall.gateway.http;

import org.jspecify.annotations.NullMarked;
