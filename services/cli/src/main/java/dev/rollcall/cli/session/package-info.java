/** Commands about sessions: which there are, why they were decided so, and which job is next. */
@NullMarked
package dev.rollcall.cli.session;

import org.jspecify.annotations.NullMarked;
