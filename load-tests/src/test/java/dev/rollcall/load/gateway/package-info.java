/** Tests of what the benchmarks start. */
@NullMarked
package dev.rollcall.load.gateway;

import org.jspecify.annotations.NullMarked;
