/** Reads the view that a process has of its job, and compares the views of two processes. */
@NullMarked
package dev.rollcall.cli.verify;

import org.jspecify.annotations.NullMarked;
