/** Commands about nodes: which are connected, and which processes are outside of jobs. */
@NullMarked
package dev.rollcall.cli.node;

import org.jspecify.annotations.NullMarked;
