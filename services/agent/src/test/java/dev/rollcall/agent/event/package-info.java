@NullMarked
package dev.rollcall.agent.event;

import org.jspecify.annotations.NullMarked;
