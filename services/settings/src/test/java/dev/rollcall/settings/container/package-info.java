@NullMarked
package dev.rollcall.settings.container;

import org.jspecify.annotations.NullMarked;
