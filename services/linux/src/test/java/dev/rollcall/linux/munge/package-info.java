@NullMarked
package dev.rollcall.linux.munge;

import org.jspecify.annotations.NullMarked;
