@NullMarked
package dev.rollcall.linux.net;

import org.jspecify.annotations.NullMarked;
