/** {@code rollcall whois}: the job of a connection, or of a process. */
@NullMarked
package dev.rollcall.cli.caller;

import org.jspecify.annotations.NullMarked;
