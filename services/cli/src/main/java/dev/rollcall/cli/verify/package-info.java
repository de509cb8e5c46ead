/** What a process sees of its job, and how two processes differ in that. */
@NullMarked
package dev.rollcall.cli.verify;

import org.jspecify.annotations.NullMarked;
