@NullMarked
package dev.rollcall.linux;

import org.jspecify.annotations.NullMarked;
