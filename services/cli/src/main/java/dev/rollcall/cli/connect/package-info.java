/** {@code rollcall connect} and {@code rollcall ssh}: a connection to a node of a job. */
@NullMarked
package dev.rollcall.cli.connect;

import org.jspecify.annotations.NullMarked;
