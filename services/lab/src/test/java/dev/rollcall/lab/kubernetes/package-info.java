/** The chart, run by podman on an emulated machine. */
@NullMarked
package dev.rollcall.lab.kubernetes;

import org.jspecify.annotations.NullMarked;
