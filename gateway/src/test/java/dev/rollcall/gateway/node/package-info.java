/** Who may attend. */
@NullMarked
package dev.rollcall.gateway.node;

import org.jspecify.annotations.NullMarked;
