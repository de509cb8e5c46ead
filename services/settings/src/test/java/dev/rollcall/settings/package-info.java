@NullMarked
package dev.rollcall.settings;

import org.jspecify.annotations.NullMarked;
