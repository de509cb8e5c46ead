/** The streams of the nodes: who may open one, and what becomes of what they tell. */
@NullMarked
package dev.rollcall.gateway.node;

import org.jspecify.annotations.NullMarked;
