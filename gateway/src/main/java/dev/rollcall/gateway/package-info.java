/**
 * The gateway's process: its configuration, and the wiring of its parts. A gateway is a Hazelcast
 * member, the server of the agents' streams, and the server of the cluster's public API.
 */
@NullMarked
package dev.rollcall.gateway;

import org.jspecify.annotations.NullMarked;
