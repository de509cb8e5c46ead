/** {@code rollcall top}: the jobs of a node, drawn again and again. */
@NullMarked
package dev.rollcall.cli.top;

import org.jspecify.annotations.NullMarked;
