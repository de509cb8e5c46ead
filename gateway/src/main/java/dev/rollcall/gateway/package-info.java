/**
 * The gateway's process: its configuration, and the wiring of its parts. A gateway is one member of
 * the grid, the login socket of the agents that attend it, and the cluster's public services.
 */
@NullMarked
package dev.rollcall.gateway;

import org.jspecify.annotations.NullMarked;
