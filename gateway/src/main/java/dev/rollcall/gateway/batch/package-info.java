/** Asks the batch system's controller about jobs, seldom, for all nodes of the gateway together. */
@NullMarked
package dev.rollcall.gateway.batch;

import org.jspecify.annotations.NullMarked;
