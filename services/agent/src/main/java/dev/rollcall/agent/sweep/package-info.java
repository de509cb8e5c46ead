/** Tidies the node now and then: leaves of ended sessions, jobs whose end was not clean. */
@NullMarked
package dev.rollcall.agent.sweep;

import org.jspecify.annotations.NullMarked;
