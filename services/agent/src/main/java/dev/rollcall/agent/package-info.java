/** The node process: its configuration, its start, and the one class that wires its stages. */
@NullMarked
package dev.rollcall.agent;

import org.jspecify.annotations.NullMarked;
