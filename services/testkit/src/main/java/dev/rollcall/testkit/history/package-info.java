/**
 * Whether what several threads did at once is as if they had done it one after another
 * (linearizability): histories are recorded and searched for such an order.
 */
@NullMarked
package dev.rollcall.testkit.history;

import org.jspecify.annotations.NullMarked;
