/** How much tests do, by default and with the full counts. */
@NullMarked
package dev.rollcall.testkit.count;

import org.jspecify.annotations.NullMarked;
