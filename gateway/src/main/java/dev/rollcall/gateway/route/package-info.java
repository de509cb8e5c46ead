/**
 * Finds the way to a node, whichever gateway holds its stream: announcements to who owns the far
 * address, questions to who owns the near one, and their answers back.
 */
@NullMarked
package dev.rollcall.gateway.route;

import org.jspecify.annotations.NullMarked;
