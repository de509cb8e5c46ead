@NullMarked
package dev.rollcall.linux.mount;

import org.jspecify.annotations.NullMarked;
