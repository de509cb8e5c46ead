/**
 * What the batch system's controller says of jobs: asked by the gateway for all of its nodes
 * together, seldom, and shared among them.
 */
@NullMarked
package dev.rollcall.gateway.batch;

import org.jspecify.annotations.NullMarked;
