/**
 * Faults for a test cluster: each is there from its making until it is closed, and touches nothing
 * outside of the cluster.
 */
@NullMarked
package dev.rollcall.lab.fault;

import org.jspecify.annotations.NullMarked;
