@NullMarked
package dev.rollcall.linux.files;

import org.jspecify.annotations.NullMarked;
