/**
 * The demo: a cluster of network namespaces on this machine, and the scenes that show on it what
 * Rollcall promises. The cluster tests play the same scenes.
 */
@NullMarked
package dev.rollcall.lab.demo;

import org.jspecify.annotations.NullMarked;
