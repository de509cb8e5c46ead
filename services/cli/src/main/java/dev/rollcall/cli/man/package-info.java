/** Manual pages, made at build time of the command's own words and of the documents. */
@NullMarked
package dev.rollcall.cli.man;

import org.jspecify.annotations.NullMarked;
