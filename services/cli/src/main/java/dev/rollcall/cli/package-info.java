/**
 * The {@code rollcall} command: it asks an agent or a gateway, and prints what it hears as a table
 * or as JSON. Each subcommand is a class; docs/cli.md lists them with their exit codes.
 */
@NullMarked
package dev.rollcall.cli;

import org.jspecify.annotations.NullMarked;
