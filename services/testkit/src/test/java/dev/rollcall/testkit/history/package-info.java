@NullMarked
package dev.rollcall.testkit.history;

import org.jspecify.annotations.NullMarked;
