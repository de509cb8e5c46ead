@NullMarked
package dev.rollcall.gateway.route;

import org.jspecify.annotations.NullMarked;
