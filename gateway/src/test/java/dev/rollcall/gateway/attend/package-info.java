/** Who may attend. */
@NullMarked
package dev.rollcall.gateway.attend;

import org.jspecify.annotations.NullMarked;
