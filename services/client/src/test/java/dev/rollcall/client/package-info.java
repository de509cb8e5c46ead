@NullMarked
package dev.rollcall.client;

import org.jspecify.annotations.NullMarked;
