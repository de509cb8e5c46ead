@NullMarked
package dev.rollcall.load.processes;

import org.jspecify.annotations.NullMarked;
