@NullMarked
package dev.rollcall.authority;

import org.jspecify.annotations.NullMarked;
