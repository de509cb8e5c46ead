/** The source tree, and what its build makes. */
@NullMarked
package dev.rollcall.lab.tree;

import org.jspecify.annotations.NullMarked;
