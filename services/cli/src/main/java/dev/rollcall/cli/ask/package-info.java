/** How commands reach an agent or a gateway, and the options that say which. */
@NullMarked
package dev.rollcall.cli.ask;

import org.jspecify.annotations.NullMarked;
