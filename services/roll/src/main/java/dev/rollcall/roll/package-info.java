/**
 * The roll on Hazelcast: the grid's member, its three maps, and mail between gateways. The rules by
 * which statements replace each other are in {@link dev.rollcall.roll.NodeValue}; docs/roll.md
 * explains them.
 */
@NullMarked
package dev.rollcall.roll;

import org.jspecify.annotations.NullMarked;
