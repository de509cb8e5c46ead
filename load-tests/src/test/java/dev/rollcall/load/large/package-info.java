@NullMarked
package dev.rollcall.load.large;

import org.jspecify.annotations.NullMarked;
