/** The shipped hooks for Grid Engine, called by it. */
@NullMarked
package dev.rollcall.lab.gridengine;

import org.jspecify.annotations.NullMarked;
