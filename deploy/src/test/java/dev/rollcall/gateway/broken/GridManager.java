package dev.rollcall.gateway.broken;

import com.hazelcast.core.HazelcastInstance;

/** Talks to the grid outside its module, under a name that says nothing. */
public record GridManager(HazelcastInstance grid) {}
