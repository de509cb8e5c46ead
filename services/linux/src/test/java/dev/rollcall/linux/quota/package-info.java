@NullMarked
package dev.rollcall.linux.quota;

import org.jspecify.annotations.NullMarked;
