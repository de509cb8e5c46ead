/** Who may connect. */
@NullMarked
package dev.rollcall.gateway.node;

import org.jspecify.annotations.NullMarked;
