@NullMarked
package dev.rollcall.load.bench;

import org.jspecify.annotations.NullMarked;
