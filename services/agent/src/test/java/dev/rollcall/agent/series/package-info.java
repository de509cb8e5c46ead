@NullMarked
package dev.rollcall.agent.series;

import org.jspecify.annotations.NullMarked;
