/**
 * The roll and the gateways' mail for tests: fakes in memory, and the contracts that the fakes and
 * the real ones are both held to.
 */
@NullMarked
package dev.rollcall.testkit.roll;

import org.jspecify.annotations.NullMarked;
