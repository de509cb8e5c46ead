/**
 * Gateways as they are shipped, each a process, and nodes that connect to them from this process.
 */
@NullMarked
package dev.rollcall.load.gateway;

import org.jspecify.annotations.NullMarked;
