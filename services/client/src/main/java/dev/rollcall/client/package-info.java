/**
 * Asks a cluster's gateways from Java. What is asked and told are the messages of {@code
 * dev.rollcall.proto.v1}; this adds what every program would else write itself: lists in parts,
 * deadlines, and watches that go on after a gateway has gone.
 */
@NullMarked
package dev.rollcall.client;

import org.jspecify.annotations.NullMarked;
