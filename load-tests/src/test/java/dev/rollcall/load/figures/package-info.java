/** Makes the tables of docs/performance.md from the files in docs/figures. */
@NullMarked
package dev.rollcall.load.figures;

import org.jspecify.annotations.NullMarked;
