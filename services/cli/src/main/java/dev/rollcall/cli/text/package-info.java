/** What commands print: tables, JSON, times, and text that a terminal cannot misread. */
@NullMarked
package dev.rollcall.cli.text;

import org.jspecify.annotations.NullMarked;
