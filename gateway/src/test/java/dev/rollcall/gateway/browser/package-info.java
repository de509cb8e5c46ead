/** A real browser, Debian's Chromium, driven by its own DevTools protocol. */
@NullMarked
package dev.rollcall.gateway.browser;

import org.jspecify.annotations.NullMarked;
