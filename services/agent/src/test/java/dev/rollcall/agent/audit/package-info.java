@NullMarked
package dev.rollcall.agent.audit;

import org.jspecify.annotations.NullMarked;
