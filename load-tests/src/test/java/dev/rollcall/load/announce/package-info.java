@NullMarked
package dev.rollcall.load.announce;

import org.jspecify.annotations.NullMarked;
