/** Commands that begin, change, list and end jobs. */
@NullMarked
package dev.rollcall.cli.job;

import org.jspecify.annotations.NullMarked;
