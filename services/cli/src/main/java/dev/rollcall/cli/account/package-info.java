/** The command that prints accounts for databases. */
@NullMarked
package dev.rollcall.cli.account;

import org.jspecify.annotations.NullMarked;
