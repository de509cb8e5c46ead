/** Many nodes, simulated, on real gateways: what each costs them, and how that grows. */
@NullMarked
package dev.rollcall.load.large;

import org.jspecify.annotations.NullMarked;
