package dev.rollcall.model.broken;

import dev.rollcall.proto.v1.Job;

/** An arrow backwards. */
public record ModelThatKnowsTheWire(Job job) {}
