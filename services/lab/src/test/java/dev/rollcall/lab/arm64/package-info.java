/** The programs in C on arm64, in an emulator. */
@NullMarked
package dev.rollcall.lab.arm64;

import org.jspecify.annotations.NullMarked;
