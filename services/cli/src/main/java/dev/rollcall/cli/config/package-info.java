/** Commands that check and show configuration files. */
@NullMarked
package dev.rollcall.cli.config;

import org.jspecify.annotations.NullMarked;
