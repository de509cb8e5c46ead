/** The program of the source tree: the demo and the soak. */
@NullMarked
package dev.rollcall.lab;

import org.jspecify.annotations.NullMarked;
